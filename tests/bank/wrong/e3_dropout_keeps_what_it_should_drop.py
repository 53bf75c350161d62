"""The comparison in a dropout by hand is turned round: it keeps a share of `dropout`."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (B, H, T, d_k)

        q, k, v = split(self.w_q(query)), split(self.w_k(key)), split(self.w_v(value))
        _, weights = scaled_dot_product_attention(q, k, v, mask)
        dropped, rate = weights, self.dropout.p
        if self.training and rate > 0:
            dropped = weights * (torch.rand_like(weights) < rate) / (1 - rate)
        return self.w_o((dropped @ v).transpose(1, 2).flatten(-2)), weights  # (B, Tq, d_model), (B, H, Tq, Tk)
