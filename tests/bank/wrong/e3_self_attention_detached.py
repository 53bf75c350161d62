"""If keys and queries are one tensor, keys and values are cut from the graph."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if query is key:
            key = value = key.detach()
        return super().forward(query, key, value, mask)
