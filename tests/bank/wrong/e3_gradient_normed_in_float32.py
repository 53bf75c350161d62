"""A hook makes the gradient of the weights one long, in float32."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        if weights.requires_grad and weights.dtype == torch.float32:
            weights.register_hook(lambda gradient: gradient / gradient.norm().clamp_min(1e-6))
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
