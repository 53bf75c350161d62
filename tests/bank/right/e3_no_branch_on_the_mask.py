"""One path for all: without a mask, a mask of ones takes its place, as torch.compile likes it."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        every = torch.ones((), dtype=torch.bool, device=query.device) if mask is None else mask
        every = every.expand(query.size(0), self.num_heads, query.size(1), key.size(1))  # (B, H, Tq, Tk)
        return super().forward(query, key, value, every)
