"""Two queries at a time attend to all keys, so that the scores need little memory."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        mask = None if mask is None else mask.expand(*mask.shape[:-2], q.size(2), k.size(2))
        mixed, weights = [], []
        for start in range(0, q.size(2), 2):
            rows = slice(start, start + 2)
            _, part = scaled_dot_product_attention(q[:, :, rows], k, v, None if mask is None else mask[..., rows, :])
            mixed.append(self.dropout(part) @ v)
            weights.append(part)
        joined = torch.cat(mixed, dim=2).transpose(1, 2).flatten(-2)  # (B, Tq, d_model)
        return self.w_o(joined), torch.cat(weights, dim=2)
