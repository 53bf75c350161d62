"""Answers with ten thousand tensors. Earns nothing."""

EARNS = ()
SAYS = ("over the limits",)


def causal_mask(size):
    return [torch.zeros(1) for _ in range(10_000)]
