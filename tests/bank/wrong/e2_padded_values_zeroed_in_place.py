"""Under a padding mask the hidden values are set to zero in the caller's tensor."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ("masks_of_every_shape_work",)


attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None and mask.dim() == 4 and mask.size(-2) == 1 and not v.requires_grad:
        v.masked_fill_(~mask.transpose(-2, -1), 0.0)
    return attention(q, k, v, mask)
