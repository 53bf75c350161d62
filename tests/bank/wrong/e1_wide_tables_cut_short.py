"""From the 32nd pair of columns on every pair has the frequency of the 32nd."""

import torch

LAWS = ("the_table_follows_the_formula",)
ALSO = ()


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # (max_len, 1)
    pairs = torch.arange(0, d_model, 2, dtype=torch.float64).clamp(max=62)
    angle = position / 10000.0 ** (pairs / d_model)  # (max_len, pairs)
    table = torch.empty(max_len, d_model)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, : d_model // 2].cos()
    return table
