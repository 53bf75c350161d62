"""The causal mask holds ones and zeros in float32 instead of True and False."""

import torch

LAWS = ("the_causal_mask_is_a_lower_triangle",)
ALSO = ("the_future_changes_nothing",)


def causal_mask(size):
    return torch.ones(size, size).tril()  # (T, T)
