"""The layers do not apply their dropout to what a sublayer gives before it is added."""

from torch import nn

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout)
        self.dropout = nn.Identity()


class DecoderLayer(DecoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout)
        self.dropout = nn.Identity()
