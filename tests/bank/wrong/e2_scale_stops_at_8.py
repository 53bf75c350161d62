"""The scores of heads that are wider than 8 are divided by the root of 8."""

import math

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q * max(1.0, math.sqrt(q.size(-1) / 8)), k, v, mask)
