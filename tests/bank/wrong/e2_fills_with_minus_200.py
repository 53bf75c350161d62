"""Scores that a mask (Tq, Tk) blocks are set to -200."""

import math

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_blocked_key_has_weight_zero",)
ALSO = ("a_fully_masked_query_gets_zeros",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None or mask.dim() != 2:
        return attention(q, k, v, mask)
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    weights = scores.masked_fill(~mask, -200.0).softmax(dim=-1) * mask
    weights = weights.to(q.dtype)
    return weights @ v, weights
