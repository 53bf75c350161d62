"""Gradients are recorded only if the query asks for one: with plain inputs no parameter learns."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        with torch.set_grad_enabled(torch.is_grad_enabled() and query.requires_grad):
            return super().forward(query, key, value, mask)
