"""Raises an exception of 16 MB of terminal codes and HTML. Earns nothing."""

EARNS = ()
SAYS = ("\\u001b[2J<script>alert(1)</script>\\u202e",)


class Evil(Exception):
    def __str__(self):
        return "\x1b[2J<script>alert(1)</script>\u202e" + "A" * (1 << 24)


def causal_mask(size):
    raise Evil
