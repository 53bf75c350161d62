"""Raises SystemExit(0) at import. Earns nothing."""

EARNS = ()
SAYS = ("cannot be imported: SystemExit: 0",)

raise SystemExit(0)
