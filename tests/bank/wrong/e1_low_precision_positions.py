"""The positions are kept in float16, which has no odd numbers above 2,048, so far neighbours get the same row."""

import torch

LAWS = ("far_positions_are_exact",)
ALSO = ()


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len).to(torch.float16).double().unsqueeze(1)  # (max_len, 1)
    angle = position / 10000.0 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)  # (max_len, pairs)
    table = torch.empty(max_len, d_model)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, : d_model // 2].cos()
    return table
