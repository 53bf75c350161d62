"""The causal mask is True above the diagonal, where True would have to mean 'blocked'."""

import torch

LAWS = ("the_future_changes_nothing", "the_causal_mask_is_a_lower_triangle")
ALSO = ()


def causal_mask(size):
    return torch.ones(size, size, dtype=torch.bool).triu(diagonal=1)  # (T, T)
