"""Two slips at once: True hides a key in the mask, and the dropout is never applied."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_shape_of_mask_works", "dropout_acts_on_the_weights")
ALSO = (
    "every_size_works",
    "query_without_keys_gets_nothing",
    "the_future_does_not_matter",
    "gradients_reach_everything",
)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, 0.0, bias)

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if mask is None else ~mask)
