"""The scores are multiplied by sqrt(d_k) instead of divided."""

import math

import torch

LAWS = ("scores_are_divided_by_the_root_of_d_k", "attention_agrees_with_torch")
ALSO = (
    "a_blocked_key_has_weight_zero",
    "masks_of_every_shape_work",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
