"""Answers with an integer of a hundred thousand digits. Earns nothing."""

EARNS = ()
SAYS = ("your code raised ValueError",)


def causal_mask(size):
    return 10**100_000
