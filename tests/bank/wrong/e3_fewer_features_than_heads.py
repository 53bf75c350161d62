"""Fewer features than heads are not refused: the width is raised until each head has one."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("indivisible_features_raise",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(max(d_model, num_heads), num_heads, dropout, bias)
