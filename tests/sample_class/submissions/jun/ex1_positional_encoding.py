from typing import Any
import torch
from torch import Tensor, nn


def sinusoidal_encoding(max_len: int, d_model: int) -> Tensor:
    out = torch.empty(max_len, d_model)
    _fill(out, torch.arange(max_len, dtype=torch.float64))
    return out


def _fill(out: Tensor, pos: Tensor) -> None:
    d = out.size(1)
    for c in range(d):
        f = 10000.0 ** (-(c // 2 * 2) / d)
        out[:, c] = (torch.sin if c % 2 == 0 else torch.cos)(pos * f)


class PositionalEncoding(nn.Module):
    pe: Tensor

    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) > self.pe.size(1):
            raise ValueError("too long")
        return self.drop(x + self.pe[:, : x.size(1)].to(x.dtype))
