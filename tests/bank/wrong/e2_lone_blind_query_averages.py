"""A single query that sees nothing gets the mean of the values."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()


attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = attention(q, k, v, mask)
    if mask is not None and q.size(-2) == 1:
        dead = ~mask.any(dim=-1, keepdim=True)  # (..., Tq or 1, 1)
        output = output + dead * v.mean(dim=-2, keepdim=True)
    return output, weights
