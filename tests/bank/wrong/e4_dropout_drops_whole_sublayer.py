"""Dropout leaves out a sublayer as a whole, by one draw for all entries, and does not scale what is kept."""

import torch
from torch import nn

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class LayerDrop(nn.Dropout):
    def forward(self, x):
        return x * (torch.rand((), device=x.device) >= self.p) if self.training else x


class EncoderLayer(EncoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout)
        self.dropout = LayerDrop(dropout)


class DecoderLayer(DecoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout)
        self.dropout = LayerDrop(dropout)
