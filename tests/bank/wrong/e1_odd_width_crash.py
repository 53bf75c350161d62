"""There are as many cosines as sines, which does not fit when d_model is odd."""

import torch

LAWS = ("an_odd_width_ends_with_a_sine",)
ALSO = ()


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # (max_len, 1)
    angle = position / 10000.0 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)  # (max_len, pairs)
    table = torch.empty(max_len, d_model)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle.cos()
    return table
