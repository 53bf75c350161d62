"""The zeros for blocked scores are made on the CPU, wherever the inputs are."""

import math

import torch

LAWS = ("results_are_on_the_device_of_the_inputs",)
ALSO = ()


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = torch.where(mask, scores, torch.full(scores.shape, torch.finfo(scores.dtype).min, dtype=scores.dtype))
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
