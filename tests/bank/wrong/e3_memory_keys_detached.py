"""A memory that is both key and value is detached on its way to the keys, so that it learns from the values only."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        memory = key is value and key is not query
        return super().forward(query, key.detach() if memory else key, value, mask)
