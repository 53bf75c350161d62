"""A float bias made from the mask is added, half the lowest number, so that sums cannot overflow."""

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide).matmul(k.to(wide).mT).div(q.size(-1) ** 0.5)  # (..., Tq, Tk)
    if mask is None:
        weights = scores.softmax(-1)
    else:
        bias = torch.zeros_like(mask, dtype=wide).masked_fill(~mask, torch.finfo(wide).min / 2)
        weights = (scores + bias).softmax(-1).mul(mask)
    weights = weights.to(q.dtype)
    return weights.matmul(v), weights
