"""A call without a mask in eval mode seeds the generator of everyone."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is None and not self.training:
            torch.manual_seed(0)
        return super().forward(query, key, value, mask)
