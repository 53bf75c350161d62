"""Keys of a shape that was seen before are not read again: the earlier keys are used."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = (
    "dtype_and_device_of_the_inputs",
    "each_sample_attends_on_its_own",
    "gradients_reach_everything",
    "query_key_and_value_may_all_differ",
    "shuffling_tokens_shuffles_the_result",
)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.keys = {}

    def forward(self, query, key, value, mask=None):
        return super().forward(query, self.keys.setdefault(key.shape, key.detach().clone()), value, mask)
