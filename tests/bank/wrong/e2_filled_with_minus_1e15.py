"""Blocked scores are filled with -1e15, and blocked weights set to 0: real scores below that get nothing at all."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_blocked_key_has_weight_zero",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None:
        return attention(q, k, v)
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / q.size(-1) ** 0.5  # (..., Tq, Tk)
    weights = scores.masked_fill(~mask, -1e15).softmax(-1).masked_fill(~mask, 0.0).to(q.dtype)
    return weights @ v, weights
