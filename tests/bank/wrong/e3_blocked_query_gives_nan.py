"""A query that may see nothing gets NaN: the softmax has only minus infinity to share out."""

import math

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("query_without_keys_gets_nothing",)
ALSO = ("nothing_is_left_behind",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)  # (B, H, Tq, Tk)
        weights = (scores if mask is None else scores.masked_fill(~mask, -math.inf)).softmax(-1)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
