"""The softmax is accumulated over chunks of two keys, as in flash attention."""

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    q, k, values = q.to(wide) / q.size(-1) ** 0.5, k.to(wide), v
    shape = (*q.shape[:-1], k.size(-2))
    mask = q.new_ones(shape, dtype=torch.bool) if mask is None else mask.expand(shape)
    top = q.new_full((*q.shape[:-1], 1), torch.finfo(wide).min)  # (..., Tq, 1): the largest score so far
    total, parts = torch.zeros_like(top), []
    for keys, open_ in zip(k.split(2, dim=-2), mask.split(2, dim=-1), strict=True):
        scores = (q @ keys.transpose(-2, -1)).masked_fill(~open_, torch.finfo(wide).min)  # (..., Tq, 2)
        new_top = torch.maximum(top, scores.amax(-1, keepdim=True).detach())
        exp = (scores - new_top).exp() * open_
        shrink = (top - new_top).exp()
        total = total * shrink + exp.sum(-1, keepdim=True)
        parts = [part * shrink for part in parts] + [exp]
        top = new_top
    weights = torch.cat(parts, dim=-1) / total.masked_fill(total == 0, 1.0)  # (..., Tq, Tk)
    weights = weights.to(values.dtype)
    return weights @ values, weights
