import torch
from torch import nn


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / torch.pow(torch.tensor(10000.0, dtype=torch.float64), even / d_model)
    table = torch.zeros(max_len, d_model, dtype=torch.float64)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle[:, : d_model // 2])
    return table.to(torch.get_default_dtype())


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)
        self.pe = nn.Parameter(sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"sequence of {length} is longer than max_len={self.max_len}")
        return self.dropout(x + self.pe[:length])
