"""A token cannot look at itself: the causal mask is the strict lower triangle."""

import torch
from torch import Tensor

LAWS = ("the_future_changes_nothing",)
ALSO = ("the_causal_mask_is_a_lower_triangle",)


def causal_mask(size: int) -> Tensor:
    return torch.ones(size, size, dtype=torch.bool).tril(diagonal=-1)
