"""Each module seeds torch's global generator when it is built."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        torch.manual_seed(torch.initial_seed() + 1)
        super().__init__(d_model, num_heads, dropout, bias)
