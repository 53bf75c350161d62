"""A buffer of shape (1, max_len, d_model) that is not saved, filled column by column by a helper; further arguments."""

import torch
from torch import nn


def fill(out, position):
    d_model = out.size(1)
    for column in range(d_model):
        frequency = 10000.0 ** (-(column // 2 * 2) / d_model)
        out[:, column] = (torch.sin if column % 2 == 0 else torch.cos)(position * frequency)


def sinusoidal_encoding(max_len, d_model):
    out = torch.empty(max_len, d_model)
    fill(out, torch.arange(max_len, dtype=torch.float64))
    return out


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0, **_):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0), persistent=False)

    def forward(self, x):
        if x.size(1) > self.pe.size(1):
            raise ValueError("too long")
        return self.drop(x + self.pe[:, : x.size(1)].to(x.dtype))  # (B, T, d_model)
