"""Asks for a terabyte at once. Earns nothing."""

EARNS = ()
SAYS = ("needed more memory than it may use",)


def causal_mask(size):
    return list(range(10**12))
