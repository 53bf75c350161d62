"""The dropout works in place to save memory, and overwrites the weights that the backward pass needs."""

from torch import nn

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.dropout = nn.Dropout(dropout, inplace=True)
