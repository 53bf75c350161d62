"""Each position sees the next one too: the causal mask is shifted by one."""

import torch

LAWS = ("the_future_changes_nothing", "the_causal_mask_is_a_lower_triangle")
ALSO = ()


def causal_mask(size):
    return torch.ones(size, size, dtype=torch.bool).tril(diagonal=1)  # (T, T)
