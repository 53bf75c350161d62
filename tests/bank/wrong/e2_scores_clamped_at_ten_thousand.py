"""The scores are clamped to 10,000 against an overflow, so keys whose scores lie above share the weight."""

import torch

LAWS = ("large_scores_do_not_overflow",)
ALSO = ("a_blocked_key_has_weight_zero",)


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / q.size(-1) ** 0.5  # (..., Tq, Tk)
    scores = scores.clamp(-1e4, 1e4)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(wide).min)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return (weights @ v.to(wide)).to(q.dtype), weights.to(q.dtype)
