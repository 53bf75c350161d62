"""Blocked scores are set to the lowest number, so a query whose keys are all blocked gets equal weights."""

import math

import torch

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
