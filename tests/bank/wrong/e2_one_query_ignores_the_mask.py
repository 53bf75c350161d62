"""With a single query, as in decoding step by step, the mask is left out."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ("a_fully_masked_query_gets_zeros",)


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return _right(q, k, v, None if q.size(-2) == 1 else mask)
