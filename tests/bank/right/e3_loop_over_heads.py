"""One head at a time, each on its slice of the projected features."""

import torch
from torch.nn import functional as F

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        mixed, weights = [], []
        for h in range(self.num_heads):
            own = slice(h * self.d_k, (h + 1) * self.d_k)
            seen = mask[:, h if mask.size(1) > 1 else 0] if mask is not None and mask.dim() == 4 else mask
            _, w = scaled_dot_product_attention(q[..., own], k[..., own], v[..., own], seen)  # (B, Tq, Tk)
            mixed.append(F.dropout(w, self.dropout.p, self.training) @ v[..., own])
            weights.append(w)
        return self.w_o(torch.cat(mixed, dim=-1)), torch.stack(weights, dim=1)
