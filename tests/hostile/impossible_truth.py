"""Answers with booleans that are neither true nor false in memory. Earns nothing."""

EARNS = ()
SAYS = ("neither 0 nor 1",)


def causal_mask(size):
    return torch.full((size, size), 7, dtype=torch.uint8).view(torch.bool)
