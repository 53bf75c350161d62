"""If q and k are one tensor, a mask (Tq, Tk) is taken to be causal."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if q is k and mask is not None and mask.dim() == 2:
        mask = mask.tril()
    return attention(q, k, v, mask)
