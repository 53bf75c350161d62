"""Scores and softmax in float32 at least, blocked scores at -1e30, weights back in the dtype of the values."""

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) * (q.size(-1) ** -0.5)  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e30)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    weights = weights.to(v.dtype)
    return weights @ v, weights
