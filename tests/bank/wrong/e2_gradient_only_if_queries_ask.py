"""Gradients are recorded only if the queries ask for one: keys and values alone learn nothing."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ()


attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    with torch.set_grad_enabled(torch.is_grad_enabled() and q.requires_grad):
        return attention(q, k, v, mask)
