"""Raises NotImplementedError to look like a skeleton, which is no fault. Earns nothing."""

EARNS = ()
SAYS = ("later",)


def causal_mask(size):
    raise NotImplementedError("later")
