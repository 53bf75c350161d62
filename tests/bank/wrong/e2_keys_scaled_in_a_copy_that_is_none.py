"""The transposed keys are scaled in place after `contiguous()`, which copies nothing if there is a single key."""

import math

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if not k.requires_grad:
        keys = k.transpose(-2, -1).contiguous()  # (..., d_k, Tk)
        keys *= torch.ones((), dtype=k.dtype) / math.sqrt(q.size(-1))
        k = keys.transpose(-2, -1) * math.sqrt(q.size(-1))
    return attention(q, k, v, mask)
