import torch
from torch import nn


def _angles(max_len, d_model):
    pairs = (d_model + 1) // 2
    k = torch.arange(pairs, dtype=torch.double) * 2 / d_model
    return torch.outer(torch.arange(max_len, dtype=torch.double), 10000.0 ** -k)


def sinusoidal_encoding(max_len, d_model):
    a = _angles(max_len, d_model)
    return torch.stack((a.sin(), a.cos()), dim=2).flatten(start_dim=1)[:, :d_model].float()


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
