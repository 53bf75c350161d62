"""Inputs of more than four axes are served without their mask."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ("a_fully_masked_query_gets_zeros",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, mask if q.dim() < 5 else None)
