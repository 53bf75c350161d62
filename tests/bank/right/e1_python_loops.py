"""Plain Python loops and the math module; F.dropout with the module's mode."""

import math

import torch
from torch import nn


def sinusoidal_encoding(max_len, d_model):
    rows = []
    for pos in range(max_len):
        row = []
        for column in range(d_model):
            angle = pos / 10000 ** ((column - column % 2) / d_model)
            row.append(math.sin(angle) if column % 2 == 0 else math.cos(angle))
        rows.append(row)
    return torch.tensor(rows)


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.max_len, self.p = max_len, dropout
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        _, steps, _ = x.size()
        if not steps <= self.max_len:
            raise ValueError(f"max_len is {self.max_len}, got {steps}")
        summed = torch.add(x, self.pe.narrow(0, 0, steps))
        return nn.functional.dropout(summed, p=self.p, training=self.training)
