"""Building a module seeds Python's own generator."""

import random

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        random.seed(0)
