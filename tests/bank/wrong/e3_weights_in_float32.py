"""The weights are returned in float32, whatever the precision of the inputs."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dtype_and_device_of_the_inputs",)
ALSO = (
    "cross_attention_agrees_with_torch",
    "dropout_acts_on_the_weights",
    "every_size_works",
    "output_and_weights_have_their_shapes",
    "query_key_and_value_may_all_differ",
    "self_attention_agrees_with_torch",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output, weights.float()
