"""Answers with a list of a million numbers. Earns nothing."""

EARNS = ()
SAYS = ("over the limits",)


def causal_mask(size):
    return list(range(1_000_000))
