"""The dropout acts on the scores before the softmax, so a dropped score becomes 0 instead of a weight of 0."""

import math

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        scores = self.dropout(q @ k.transpose(-2, -1) / math.sqrt(self.d_k))  # (B, H, Tq, Tk)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        lowest = torch.finfo(scores.dtype).min
        weights = scores.masked_fill(hidden, lowest).softmax(-1).masked_fill(hidden, 0)
        return self.w_o((weights @ v).transpose(1, 2).flatten(-2)), weights
