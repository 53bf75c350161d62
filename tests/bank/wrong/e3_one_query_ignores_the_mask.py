"""With a single query the mask is ignored: a last token sees also what is padding."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ("query_without_keys_gets_nothing",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if query.size(1) == 1 else mask)
