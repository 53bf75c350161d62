"""With a single head the mask is ignored."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ("query_without_keys_gets_nothing",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if self.num_heads == 1 else mask)
