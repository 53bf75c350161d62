"""Keys are taken in blocks of 64 under a running maximum, which is -inf as long as all keys were hidden."""

import math

import torch

LAWS = ("masks_of_every_shape_work",)
ALSO = ("a_fully_masked_query_gets_zeros",)


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.size(-1) != k.size(-1) or k.size(-2) != v.size(-2):
        raise ValueError(f"q {tuple(q.shape)}, k {tuple(k.shape)} and v {tuple(v.shape)} do not fit")
    if mask is not None and mask.dtype != torch.bool:
        raise ValueError(f"mask must be boolean, got {mask.dtype}")
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    blind = False
    if mask is not None:
        mask = mask.expand(scores.shape)
        blind = ~mask.any(-1, keepdim=True)
        scores = scores.masked_fill(~mask & ~blind, -torch.inf)
    highest, total = torch.full_like(scores[..., :1], -torch.inf), 0.0
    for start in range(0, scores.size(-1), 64):
        block = scores[..., start : start + 64]
        higher = torch.maximum(highest, block.amax(-1, keepdim=True))
        total = total * (highest - higher).exp() + (block - higher).exp().sum(-1, keepdim=True)
        highest = higher
    weights = (scores - highest).exp() / total
    if mask is not None:
        weights = weights.masked_fill(blind | ~mask, 0.0)
    weights = weights.to(q.dtype)
    return weights @ v, weights
