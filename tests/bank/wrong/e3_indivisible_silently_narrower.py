"""A d_model that the heads cannot share is accepted, and the features that are left over are not used."""

from torch import nn

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("indivisible_features_raise",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        nn.Module.__init__(self)
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        inner = self.num_heads * self.d_k
        self.w_q = nn.Linear(d_model, inner, bias=bias)
        self.w_k = nn.Linear(d_model, inner, bias=bias)
        self.w_v = nn.Linear(d_model, inner, bias=bias)
        self.w_o = nn.Linear(inner, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)
