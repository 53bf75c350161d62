"""Blocked scores are set to -inf, and nothing is done about a query that sees nothing."""

import math

import torch

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=-1).to(v.dtype)
    return weights @ v, weights
