"""Keys and values behind the first 64 are read, but no gradient goes back to them."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ()

attention = scaled_dot_product_attention


def _near(x):
    return torch.cat([x[..., :64, :], x[..., 64:, :].detach()], dim=-2)


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, _near(k), _near(v), mask)
