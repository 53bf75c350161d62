"""-inf is added to blocked scores and NaN replaced by 0 after the softmax: the output is right, the gradient is NaN."""

import math

import torch

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        bias = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
        scores = scores + bias
    weights = torch.nan_to_num(scores.softmax(dim=-1), nan=0.0)
    return weights @ v, weights
