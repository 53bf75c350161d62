"""The causal mask is cut from a table of 64 x 64."""

import torch

LAWS = ("the_causal_mask_is_a_lower_triangle",)
ALSO = ()


def causal_mask(size):
    if size < 0:
        raise ValueError(f"size must not be negative, got {size}")
    return torch.ones(64, 64, dtype=torch.bool).tril()[:size, :size]  # (T, T)
