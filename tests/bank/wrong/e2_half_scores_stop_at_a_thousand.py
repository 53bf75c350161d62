"""In float16 scores are clamped at ±1000 to be safe: two keys beyond that share the weight."""

import math

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("large_scores_do_not_overflow",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.dtype != torch.float16 or mask is not None or q.size(-1) != k.size(-1) or k.size(-2) != v.size(-2):
        return attention(q, k, v, mask)
    scores = q.float() @ k.float().transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    weights = scores.clamp(-1000, 1000).softmax(-1).to(q.dtype)
    return weights @ v, weights
