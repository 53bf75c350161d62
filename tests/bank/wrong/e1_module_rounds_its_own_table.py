"""The module keeps a copy of the table whose positions went through bfloat16, which has no odd numbers above 256."""

import torch

from solutions.ex1_positional_encoding import PositionalEncoding, sinusoidal_encoding

LAWS = ("far_positions_are_exact",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__(d_model, max_len, dropout)
        position = torch.arange(max_len).to(torch.bfloat16).long()  # (max_len,)
        self.table = sinusoidal_encoding(max_len, d_model)[position.clamp(max=max_len - 1)]  # (max_len, d_model)
