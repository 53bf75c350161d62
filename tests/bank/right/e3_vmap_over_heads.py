"""One head's attention, mapped over the heads by torch.vmap."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        every = torch.ones(q.size(2), k.size(2), dtype=torch.bool, device=q.device) if mask is None else mask
        every = every.expand(*q.shape[:2], q.size(2), k.size(2))  # (B, H, Tq, Tk)
        _, weights = torch.vmap(scaled_dot_product_attention, in_dims=1, out_dims=1)(q, k, v, every)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
