"""In self-attention keys and values are cut from the graph."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if query is key and key is value:
            key = value = key.detach()
        return super().forward(query, key, value, mask)
