"""The values are centred: their mean over all tokens, also hidden and later ones, is taken off."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("the_future_does_not_matter", "self_attention_agrees_with_torch")
ALSO = (
    "cross_attention_agrees_with_torch",
    "dropout_acts_on_the_weights",
    "every_shape_of_mask_works",
    "every_size_works",
    "query_key_and_value_may_all_differ",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value - value.mean(dim=1, keepdim=True), mask)
