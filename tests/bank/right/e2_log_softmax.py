"""exp of log_softmax, with partial functions for the two kinds of filling."""

import functools

import torch


def block(tensor, mask, value):
    return tensor if mask is None else torch.where(mask, tensor, torch.full_like(tensor, value))


to_zero = functools.partial(block, value=0.0)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q @ k.swapaxes(-1, -2)).true_divide(q.size(-1) ** 0.5)  # (..., Tq, Tk)
    lowest = torch.finfo(scores.dtype).min
    weights = to_zero(torch.log_softmax(block(scores, mask, lowest), dim=-1).exp(), mask)
    return weights @ v, weights
