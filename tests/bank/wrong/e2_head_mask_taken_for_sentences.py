"""A mask of three axes whose first is as long as the batch is taken for one mask per sentence."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ()


attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None and mask.dim() == 3 and q.dim() == 4 and mask.size(0) == q.size(0):
        mask = mask.unsqueeze(1)  # (B, 1, Tq, Tk)
    return attention(q, k, v, mask)
