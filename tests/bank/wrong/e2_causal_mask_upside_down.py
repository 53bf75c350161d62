"""The causal mask is the upper triangle: each position sees itself and the future."""

import torch

LAWS = ("the_causal_mask_is_a_lower_triangle", "the_future_changes_nothing")
ALSO = ()


def causal_mask(size):
    return torch.ones(size, size, dtype=torch.bool).triu()  # (T, T)
