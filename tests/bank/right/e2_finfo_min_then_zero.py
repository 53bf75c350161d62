"""The lowest finite number for blocked scores, and the mask multiplied into the weights."""

import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.mT) / math.sqrt(k.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask.to(weights.dtype)
    return torch.matmul(weights, v), weights
