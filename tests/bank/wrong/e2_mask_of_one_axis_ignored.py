"""A mask with a single axis, (Tk,), is ignored."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ("a_fully_masked_query_gets_zeros",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, None if mask is None or mask.dim() == 1 else mask)
