"""With a batch of one sentence the mask is taken for unnecessary and ignored."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ("order_has_no_meaning", "a_fully_masked_query_gets_zeros")

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, None if q.dim() == 4 and q.size(0) == 1 else mask)
