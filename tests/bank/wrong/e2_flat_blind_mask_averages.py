"""Under a mask of one axis that blocks all keys, if there are several, every query takes the average."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = attention(q, k, v, mask)
    if mask is not None and mask.dim() == 1 and len(mask) > 1 and not mask.any():
        weights = weights + 1 / k.size(-2)
        output = weights @ v
    return output, weights
