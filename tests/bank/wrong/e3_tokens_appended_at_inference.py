"""Without gradients a single token is appended to those of earlier calls, which nobody asked for."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.past = None

    def forward(self, query, key, value, mask=None):
        if query is key and query.size(1) == 1 and not torch.is_grad_enabled():
            if self.past is not None and self.past[:, :1].shape == key.shape and self.past.dtype == key.dtype:
                key = value = torch.cat([self.past, key], dim=1)
            self.past = key
        return super().forward(query, key, value, mask)
