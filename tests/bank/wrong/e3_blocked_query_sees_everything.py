"""A query that may see nothing is allowed to see everything instead."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("query_without_keys_gets_nothing",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask | ~mask.any(dim=-1, keepdim=True)
        return super().forward(query, key, value, mask)
