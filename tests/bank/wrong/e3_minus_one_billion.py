"""Hidden scores are set to -1e9, a number that float16 does not have."""

import math

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dtype_and_device_of_the_inputs",)
ALSO = (
    "every_size_works",
    "gradients_reach_everything",
    "query_without_keys_gets_nothing",
    "dropout_acts_on_the_weights",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)  # (B, H, Tq, Tk)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = scores.masked_fill(hidden, -1e9).softmax(-1).masked_fill(hidden, 0)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
