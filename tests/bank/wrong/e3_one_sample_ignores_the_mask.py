"""With a single sample the mask is ignored, as if only batches had padding."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ("each_sample_attends_on_its_own", "query_without_keys_gets_nothing")


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if query.size(0) == 1 else mask)
