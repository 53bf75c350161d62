"""Answers with terabytes by repetition, and with gigabytes for real. Earns nothing."""

EARNS = ()
SAYS = ("a tensor over the limits",)


def causal_mask(size):
    return torch.zeros(1, dtype=torch.bool).expand(1 << 20, 1 << 20)


def padding_mask(tokens, pad_id):
    return torch.zeros(1 << 26)
