"""Every weight starts as one number, so all heads learn the same."""

from torch import nn

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("four_projections_of_their_own",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        for i, linear in enumerate((self.w_q, self.w_k, self.w_v, self.w_o), start=1):
            nn.init.constant_(linear.weight, i / 10)
