"""In float16, blocked scores are set to -1e4, below which real scores may lie."""

import math

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_blocked_key_has_weight_zero",)
ALSO = ()


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.dtype != torch.float16 or mask is None:
        return _right(q, k, v, mask)
    scores = q.float() @ k.float().transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    weights = scores.masked_fill(~mask, -1e4).softmax(dim=-1).masked_fill(~mask, 0.0).to(v.dtype)
    return weights @ v, weights
