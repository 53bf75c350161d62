"""Only the first head's slice of a mask with four axes is used, for all heads."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ("a_blocked_key_has_weight_zero",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None and mask.dim() == 4:
        mask = mask[:, :1]  # (B, 1, Tq, Tk)
    return attention(q, k, v, mask)
