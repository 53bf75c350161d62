"""The parameters are made in float64, so float32 inputs do not fit."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("four_projections_of_their_own",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.double()
