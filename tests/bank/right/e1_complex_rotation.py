"""Unit complex numbers instead of sines and cosines: the imaginary part is the sine, the real part the cosine."""

import torch


def sinusoidal_encoding(max_len, d_model):
    pairs = -(-d_model // 2)
    frequency = 1.0 / 10000 ** (torch.arange(pairs, dtype=torch.float64) * 2 / d_model)  # (pairs,)
    angle = torch.arange(max_len, dtype=torch.float64)[:, None] * frequency  # (max_len, pairs)
    points = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))  # (max_len, pairs, 2)
    table = points.flip(-1).reshape(max_len, 2 * pairs)  # (max_len, 2 * pairs)
    return table[:, :d_model].float().contiguous()
