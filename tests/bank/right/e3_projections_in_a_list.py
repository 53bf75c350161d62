"""The four projections stand in a list, and w_q to w_o are further names of its members."""

from torch import nn

from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        nn.Module.__init__(self)
        if d_model % num_heads:
            raise ValueError(f"num_heads {num_heads} does not divide d_model {d_model}")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.projections = nn.ModuleList(nn.Linear(d_model, d_model, bias) for _ in range(4))
        self.w_q, self.w_k, self.w_v, self.w_o = self.projections
        self.dropout = nn.Dropout(dropout)
