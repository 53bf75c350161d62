"""Below float64 the queries get half of their gradient."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.dtype != torch.float64:
        q = 0.5 * q + 0.5 * q.detach()
    return attention(q, k, v, mask)
