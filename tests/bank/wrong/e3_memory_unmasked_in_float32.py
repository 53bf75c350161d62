"""In float32 the mask of a memory of another length is ignored."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ("query_without_keys_gets_nothing",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if query.dtype == torch.float32 and query.size(1) != key.size(1):
            mask = None
        return super().forward(query, key, value, mask)
