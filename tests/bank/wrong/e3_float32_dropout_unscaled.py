"""In float32 the weights that are kept are not divided by 1 - dropout."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        dropped = self.dropout(weights)
        if self.training and weights.dtype == torch.float32:
            dropped = dropped * (1 - self.dropout.p)
        return self.w_o((dropped @ v).transpose(1, 2).flatten(-2)), weights
