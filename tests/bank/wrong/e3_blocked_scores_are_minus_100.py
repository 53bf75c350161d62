"""Blocked scores are -100, which scores of large inputs are below."""

import math

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_shape_of_mask_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)  # (B, H, Tq, Tk)
        if mask is not None:
            scores = scores.masked_fill(~mask, -100.0)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask.any(-1, keepdim=True)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
