"""Only the first 64 keys are looked at."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch",)
ALSO = ("masks_of_every_shape_work",)

attention = scaled_dot_product_attention
LIMIT = 64


def scaled_dot_product_attention(q, k, v, mask=None):
    weights = attention(q, k, v, mask)[1]
    few = attention(q, k[..., :LIMIT, :], v[..., :LIMIT, :], None if mask is None else mask[..., :LIMIT])[1]
    weights = torch.cat((few, torch.zeros_like(weights[..., LIMIT:])), dim=-1)  # (..., Tq, Tk)
    return weights @ v, weights
