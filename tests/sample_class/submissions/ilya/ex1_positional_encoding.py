import torch
from torch import nn


def sinusoidal_encoding(max_len, d_model):
    n = -(-d_model // 2)
    freq = 1.0 / 10000 ** (torch.arange(n, dtype=torch.float64) * 2 / d_model)
    z = torch.polar(torch.ones(max_len, n, dtype=torch.float64), torch.arange(max_len, dtype=torch.float64)[:, None] * freq)
    table = torch.view_as_real(z).flip(-1).reshape(max_len, 2 * n)
    return table[:, :d_model].float().contiguous()


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
