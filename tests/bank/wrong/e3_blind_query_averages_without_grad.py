"""Under torch.no_grad() a query that sees nothing gets equal weights."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("query_without_keys_gets_nothing",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is not None and not torch.is_grad_enabled():
            mask = mask | ~mask.any(dim=-1, keepdim=True)
        return super().forward(query, key, value, mask)
