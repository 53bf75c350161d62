"""If some query sees nothing, the gradient of all the others is averaged with its zeros."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = attention(q, k, v, mask)
    if mask is not None and not mask.any(-1).all():
        output, weights = ((x + x.detach()) / 2 for x in (output, weights))
    return output, weights
