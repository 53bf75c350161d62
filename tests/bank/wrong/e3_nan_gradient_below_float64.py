"""Below float64, -inf is added to blocked scores and NaN weights are zeroed: the gradient is NaN."""

import math

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("query_without_keys_gets_nothing",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        if q.dtype == torch.float64:
            _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        else:
            scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)  # (B, H, Tq, Tk)
            if mask is not None:
                scores = scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf)
            weights = scores.softmax(-1)
            weights = weights.masked_fill(weights.isnan(), 0.0)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
