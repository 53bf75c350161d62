"""Raises KeyboardInterrupt, which ends graders that run the code themselves. Earns nothing."""

EARNS = ()
SAYS = ("your code raised KeyboardInterrupt",)


def causal_mask(size):
    raise KeyboardInterrupt
