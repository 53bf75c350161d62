"""The input's memory is read in order, whatever its strides: a transposed input is read as if it were not."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("any_memory_layout_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        straight = torch.empty(query.shape, device="meta").stride()
        if query.stride(1) == 1:  # transposed
            query = query.as_strided(query.shape, straight)
        return super().forward(query, key, value, mask)
