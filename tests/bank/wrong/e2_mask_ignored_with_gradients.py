"""When the queries need a gradient the mask is ignored."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work", "a_fully_masked_query_gets_zeros")
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, None if q.requires_grad else mask)
