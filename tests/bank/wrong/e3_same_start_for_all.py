"""All four projections start with the same weights: one is made and copied."""

from copy import deepcopy

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("four_projections_of_their_own",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.w_k, self.w_v, self.w_o = (deepcopy(self.w_q) for _ in range(3))
