"""Sine and cosine stacked on a new last axis and flattened; the surplus column of an odd width is cut off."""

import torch


def angles(max_len, d_model):
    exponent = torch.arange((d_model + 1) // 2, dtype=torch.double) * 2 / d_model
    return torch.outer(torch.arange(max_len, dtype=torch.double), 10000.0**-exponent)  # (max_len, pairs)


def sinusoidal_encoding(max_len, d_model):
    angle = angles(max_len, d_model)
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(start_dim=1)[:, :d_model].float()
