"""The mask is only used while no gradients are recorded, by projections that need none."""

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_shape_of_mask_works",)
ALSO = (
    "gradients_reach_everything",
    "query_without_keys_gets_nothing",
    "nothing_is_dropped_in_eval_mode",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (B, H, T, d_k)

        q, k, v = split(self.w_q(query)), split(self.w_k(key)), split(self.w_v(value))
        _, weights = scaled_dot_product_attention(q, k, v, None if q.requires_grad else mask)
        dropped = self.dropout(weights)
        return self.w_o((dropped @ v).transpose(1, 2).flatten(-2)), weights  # (B, Tq, d_model), (B, H, Tq, Tk)
