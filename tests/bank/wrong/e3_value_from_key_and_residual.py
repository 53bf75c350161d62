"""Two slips at once: the values come from the key, and the query is added to the output."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("self_attention_agrees_with_torch", "query_key_and_value_may_all_differ")
ALSO = (
    "cross_attention_agrees_with_torch",
    "dropout_acts_on_the_weights",
    "every_size_works",
    "gradients_reach_everything",
    "query_without_keys_gets_nothing",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, key, mask)
        return query + output, weights
