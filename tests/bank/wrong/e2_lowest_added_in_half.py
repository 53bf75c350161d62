"""The lowest number is added to the scores in the inputs' own dtype: in half precision the sum is infinite."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()


attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None:
        return attention(q, k, v)
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5  # (..., Tq, Tk)
    scores = scores + torch.zeros_like(scores).masked_fill(~mask, torch.finfo(q.dtype).min)
    weights = scores.softmax(dim=-1).masked_fill(~mask, 0.0)
    return weights @ v, weights
