"""Inputs that are not (B, H, T, d) go another way, in which NaN is repaired too late: the gradient stays NaN."""

import math

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None or q.dim() == 4:
        return attention(q, k, v, mask)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    bias = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    weights = torch.nan_to_num((scores + bias).softmax(dim=-1))
    return weights @ v, weights
