"""Attention of several heads looks at the first 64 keys only."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ("dtype_and_device_of_the_inputs",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        visible = torch.arange(key.size(1)) < 64  # (Tk,)
        return super().forward(query, key, value, visible if mask is None else visible & mask)
