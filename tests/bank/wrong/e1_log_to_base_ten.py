"""The frequencies are exp(-2i/d_model * log10(10000)), but exp undoes the natural logarithm."""

import math

import torch

LAWS = ("the_table_follows_the_formula",)
ALSO = ("an_odd_width_ends_with_a_sine", "far_positions_are_exact")


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # (max_len, 1)
    exponent = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    angle = position * (-exponent * math.log10(10000.0)).exp()  # (max_len, pairs)
    table = torch.empty(max_len, d_model)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, : d_model // 2].cos()
    return table
