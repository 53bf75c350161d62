"""The weights that are returned are a copy with a graph of their own: who mixes with them learns nothing."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ()


attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = attention(q, k, v, mask)
    return output, weights.detach().clone().requires_grad_(weights.requires_grad)
