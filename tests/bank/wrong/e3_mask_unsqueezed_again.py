"""The mask gets an axis for the heads although it has one already, so its axes no longer fit."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_shape_of_mask_works",)
ALSO = (
    "any_memory_layout_works",
    "dropout_acts_on_the_weights",
    "dtype_and_device_of_the_inputs",
    "each_sample_attends_on_its_own",
    "every_size_works",
    "gradients_reach_everything",
    "nothing_is_dropped_in_eval_mode",
    "nothing_is_left_behind",
    "query_without_keys_gets_nothing",
    "the_future_does_not_matter",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if mask is None else mask.unsqueeze(1))
