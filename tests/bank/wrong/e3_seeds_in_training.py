"""Each call in training mode seeds torch's global generator anew."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if self.training:
            torch.manual_seed(torch.initial_seed() + 1)
        return super().forward(query, key, value, mask)
