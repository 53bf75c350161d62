"""Each two neighbouring queries lose the same keys to dropout."""

from torch import nn

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class InPairs(nn.Dropout):
    def forward(self, weights):
        if not self.training or weights.size(-2) < 2:
            return super().forward(weights)
        kept = super().forward(weights.new_ones(weights.shape))  # (B, H, Tq, Tk)
        kept[..., 1::2, :] = kept[..., : kept.size(-2) // 2 * 2 : 2, :]
        return weights * kept


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.dropout = InPairs(dropout)
