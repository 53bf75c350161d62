"""In eval mode, keys and values of a memory are kept, and used as long as the memory is the same."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = (
    "state_can_be_loaded_into_another",
    "gradients_reach_everything",
    "dtype_and_device_of_the_inputs",
    "query_without_keys_gets_nothing",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (B, H, T, d_k)

        kept = getattr(self, "kept", None)
        if self.training or kept is None or not (torch.equal(kept[0], key) and torch.equal(kept[1], value)):
            kept = self.kept = key.clone(), value.clone(), split(self.w_k(key)), split(self.w_v(value))
        q, k, v = split(self.w_q(query)), kept[2], kept[3]
        _, weights = scaled_dot_product_attention(q, k, v, mask)
        mixed = self.dropout(weights) @ v
        return self.w_o(mixed.transpose(1, 2).flatten(-2)), weights  # (B, Tq, d_model), (B, H, Tq, Tk)
