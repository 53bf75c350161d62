"""The queries are scaled first, in a new tensor, and logsumexp normalizes; further arguments are ignored."""

import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None, **_):
    q = q * (1.0 / math.sqrt(q.size(-1)))
    scores = q @ k.transpose(-2, -1)  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
