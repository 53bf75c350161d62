"""The mask is expanded and inverted in place: if it has the shape of the scores already, it is the caller's own."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None:
        blocked = mask.expand(*q.shape[:-1], k.size(-2)).contiguous()  # (..., Tq, Tk)
        mask = ~blocked.logical_not_()
    return attention(q, k, v, mask)
