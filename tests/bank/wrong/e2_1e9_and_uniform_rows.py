"""Blocked scores are set to -1e9, and a query that sees nothing gets equal weights."""

import math

import torch

LAWS = ("a_fully_masked_query_gets_zeros", "a_blocked_key_has_weight_zero")
ALSO = ()


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=-1).to(v.dtype)
    return weights @ v, weights
