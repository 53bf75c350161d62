"""The mask is read the wrong way round: True hides a key, as in nn.MultiheadAttention."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_shape_of_mask_works",)
ALSO = (
    "every_size_works",
    "query_without_keys_gets_nothing",
    "the_future_does_not_matter",
    "gradients_reach_everything",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if mask is None else ~mask)
