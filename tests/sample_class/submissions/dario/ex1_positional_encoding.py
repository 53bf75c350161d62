import math
import torch
from torch import nn


def sinusoidal_encoding(max_len, d_model, **unused):
    col = torch.arange(d_model)
    inv = torch.pow(10000.0, -(2 * torch.div(col, 2, rounding_mode="floor")).double() / d_model)
    phase = (col % 2).double() * math.pi / 2
    return torch.sin(torch.arange(max_len).double()[:, None] * inv[None] + phase).to(torch.float32)


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        t = x.shape[1]
        if t > self.pe.shape[0]:
            raise ValueError("sequence too long")
        return self.dropout(x + self.pe[:t, :])
