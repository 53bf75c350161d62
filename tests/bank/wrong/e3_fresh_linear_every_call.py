"""The output projection is a new nn.Linear at every call, so it is random, never learns, and is always float32."""

from torch import nn

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("state_can_be_loaded_into_another", "gradients_reach_everything")
ALSO = (
    "any_memory_layout_works",
    "attention_is_your_own_work",
    "cross_attention_agrees_with_torch",
    "dropout_acts_on_the_weights",
    "dtype_and_device_of_the_inputs",
    "each_sample_attends_on_its_own",
    "every_shape_of_mask_works",
    "every_size_works",
    "four_projections_of_their_own",
    "indivisible_features_raise",
    "nothing_is_dropped_in_eval_mode",
    "nothing_is_left_behind",
    "output_and_weights_have_their_shapes",
    "query_key_and_value_may_all_differ",
    "query_without_keys_gets_nothing",
    "self_attention_agrees_with_torch",
    "shuffling_tokens_shuffles_the_result",
    "the_future_does_not_matter",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        d_model = self.num_heads * self.d_k
        project = nn.Linear(d_model, d_model)
        return project((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
