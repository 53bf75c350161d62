"""The module makes its table by another formula than sinusoidal_encoding, in float64, and converts it in forward."""

import torch
from torch import nn

from solutions.ex1_positional_encoding import PositionalEncoding


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        nn.Module.__init__(self)
        column = torch.arange(d_model)
        frequency = torch.exp(torch.log(torch.tensor(1e-4)) * (column - column % 2) / d_model)  # (d_model,), float32
        angle = torch.arange(max_len).double()[:, None] * frequency + (column % 2) * (torch.pi / 2)
        self.register_buffer("pe", angle.sin())  # (max_len, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if x.size(1) > self.pe.size(0):
            raise ValueError(f"{x.size(1)} tokens, but max_len is {self.pe.size(0)}")
        return self.dropout(x + self.pe[: x.size(1)].to(x))
