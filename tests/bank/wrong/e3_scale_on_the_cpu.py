"""The scale is a tensor made in forward on the CPU, also when the inputs are on another device."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dtype_and_device_of_the_inputs",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        scale = torch.full((1, 1, 1), 1.0, dtype=query.dtype)
        return super().forward(query * scale, key, value, mask)
