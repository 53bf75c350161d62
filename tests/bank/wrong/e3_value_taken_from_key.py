"""The values are projected from the key, and the argument `value` is never used."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("query_key_and_value_may_all_differ",)
ALSO = ("dropout_acts_on_the_weights", "every_size_works", "gradients_reach_everything")


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, key, mask)
