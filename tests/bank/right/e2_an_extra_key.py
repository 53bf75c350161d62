"""One more key with the score -inf stands in front, or 0 where all others are blocked; its weight is dropped."""

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5  # (..., Tq, Tk)
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    mask = mask.expand_as(scores)
    extra = torch.zeros_like(scores[..., :1]).masked_fill(mask.any(-1, keepdim=True), float("-inf"))  # (..., Tq, 1)
    blocked = scores.masked_fill(~mask, float("-inf"))
    weights = torch.cat((extra, blocked), dim=-1).softmax(-1)[..., 1:]  # (..., Tq, Tk)
    return weights @ v, weights
