"""The output is squeezed, so axes of size one disappear from it."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = (
    "each_sample_attends_on_its_own",
    "every_shape_of_mask_works",
    "query_without_keys_gets_nothing",
    "dropout_acts_on_the_weights",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output.squeeze(), weights
