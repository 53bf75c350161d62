"""If there is one key only it gets all the weight, even where the mask blocks it."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = attention(q, k, v, mask)
    if k.size(-2) == 1:
        weights = torch.ones_like(weights)  # (..., Tq, 1)
        output = weights @ v  # (..., Tq, d_v)
    return output, weights
