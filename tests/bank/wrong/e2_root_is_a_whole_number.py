"""The root of d_k is cut to a whole number, so only widths that are squares are scaled rightly."""

import math

import torch

LAWS = ("scores_are_divided_by_the_root_of_d_k",)
ALSO = ("attention_agrees_with_torch",)


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / math.isqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(wide).min)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return (weights @ v.to(wide)).to(q.dtype), weights.to(q.dtype)
