"""One big matrix product, of the three weights together, when query, key and value are the same tensor."""

import torch
from torch.nn import functional as F

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def project(self, query, key, value):
        if not (query is key and key is value):
            return self.w_q(query), self.w_k(key), self.w_v(value)
        weight = torch.cat([self.w_q.weight, self.w_k.weight, self.w_v.weight])
        bias = None if self.w_q.bias is None else torch.cat([self.w_q.bias, self.w_k.bias, self.w_v.bias])
        return F.linear(query, weight, bias).chunk(3, dim=-1)

    def forward(self, query, key, value, mask=None):
        heads = (self.num_heads, self.d_k)
        q, k, v = (x.unflatten(-1, heads).transpose(1, 2) for x in self.project(query, key, value))  # (B, H, T, d_k)

        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
