"""Over a memory, where k and v are one tensor, the mask is ignored."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, None if k is v and q is not k else mask)
