"""One sine for all columns, shifted by pi/2 in the odd ones; it takes further arguments and ignores them."""

import math

import torch


def sinusoidal_encoding(max_len, d_model, **_):
    column = torch.arange(d_model)
    frequency = torch.pow(10000.0, -(2 * torch.div(column, 2, rounding_mode="floor")).double() / d_model)
    phase = (column % 2).double() * math.pi / 2
    return torch.sin(torch.arange(max_len).double()[:, None] * frequency + phase).to(torch.float32)
