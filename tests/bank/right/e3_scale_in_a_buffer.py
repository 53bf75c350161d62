"""The scale is a buffer, and w_o is made before the other projections."""

import torch
from torch import nn

from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        nn.Module.__init__(self)
        if d_model % num_heads:
            raise ValueError(f"{d_model=} is not a multiple of {num_heads=}")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        for name in ("w_o", "w_v", "w_k", "w_q"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("scale", torch.tensor(self.d_k**-0.5))

    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        scores = q @ k.mT * self.scale  # (B, H, Tq, Tk)
        mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
        weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1) * mask
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
