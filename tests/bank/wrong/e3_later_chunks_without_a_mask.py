"""Queries go in chunks of 64, and of a mask with one row all but the first chunk see nothing."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        chunks = []
        for start in range(0, q.size(2), 64):
            rows = slice(start, start + 64)
            its_mask = None if mask is None or start >= mask.size(-2) else mask[..., rows, :]
            chunks.append(scaled_dot_product_attention(q[:, :, rows], k, v, its_mask)[1])
        weights = torch.cat(chunks, dim=2)  # (B, H, Tq, Tk)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
