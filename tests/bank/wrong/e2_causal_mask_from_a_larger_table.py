"""The causal mask is cut from a table of 2,048 positions."""

import torch

LAWS = ("the_causal_mask_is_a_lower_triangle",)
ALSO = ()


def causal_mask(size):
    return torch.ones(2048, 2048, dtype=torch.bool).tril()[:size, :size]
