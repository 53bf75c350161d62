"""Without gradients the first memory of its shape is used for all later ones."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.memories = {}

    def forward(self, query, key, value, mask=None):
        if not torch.is_grad_enabled() and key is value and query is not key:
            key = value = self.memories.setdefault((key.shape, key.dtype), key)
        return super().forward(query, key, value, mask)
