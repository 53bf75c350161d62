"""The weights that are returned are cut from the graph."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ()


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = _right(q, k, v, mask)
    return output, weights.detach()
