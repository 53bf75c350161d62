"""The query is added to the output, a residual connection that does not belong here."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("self_attention_agrees_with_torch",)
ALSO = (
    "cross_attention_agrees_with_torch",
    "dropout_acts_on_the_weights",
    "every_size_works",
    "query_key_and_value_may_all_differ",
    "query_without_keys_gets_nothing",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return query + output, weights
