"""A query whose keys are all blocked is treated as if nothing were blocked."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None:
        mask = mask | ~mask.any(dim=-1, keepdim=True)
    return attention(q, k, v, mask)
