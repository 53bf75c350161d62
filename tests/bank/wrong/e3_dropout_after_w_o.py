"""The dropout acts on the output, after w_o, not on the attention weights."""

from torch import nn

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ("query_without_keys_gets_nothing",)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, 0.0, bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return self.drop(output), weights
