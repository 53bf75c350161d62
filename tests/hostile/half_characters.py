"""Raises an exception of half characters and zeros, which cannot be written as UTF-8. Earns nothing."""

EARNS = ()
SAYS = ("your code raised ValueError: half",)


def causal_mask(size):
    raise ValueError("half \ud800 \udfff \x00 \x9b31m")
