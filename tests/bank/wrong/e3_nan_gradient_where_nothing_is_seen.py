"""-inf is added to blocked scores, and NaN weights become 0 afterwards: their gradient stays NaN."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("query_without_keys_gets_nothing",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (B, H, T, d_k)

        q, k, v = split(self.w_q(query)), split(self.w_k(key)), split(self.w_v(value))
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5  # (B, H, Tq, Tk)
        if mask is not None:
            scores = scores + torch.zeros_like(mask, dtype=scores.dtype).masked_fill(~mask, float("-inf"))
        weights = scores.softmax(dim=-1).nan_to_num()
        dropped = self.dropout(weights)
        return self.w_o((dropped @ v).transpose(1, 2).flatten(-2)), weights  # (B, Tq, d_model), (B, H, Tq, Tk)
