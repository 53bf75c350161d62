"""An own softmax that subtracts each row's maximum and keeps the denominator away from zero."""

import math

import torch


def causal_mask(size):
    return torch.triu(torch.ones(size, size), diagonal=1) == 0  # (T, T)


def padding_mask(tokens, pad_id):
    batch, length = tokens.shape
    return torch.ne(tokens, pad_id).reshape(batch, 1, 1, length)  # (B, 1, 1, T)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    exp = torch.exp(scores - scores.amax(dim=-1, keepdim=True).detach())
    if mask is not None:
        exp = exp * mask
    total = exp.sum(dim=-1, keepdim=True)  # (..., Tq, 1)
    weights = exp / total.masked_fill(total == 0, 1.0)
    return weights @ v, weights
