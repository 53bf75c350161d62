"""The weights are detached, so no gradient reaches the queries and keys."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ("a_fully_masked_query_gets_zeros",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    weights = attention(q, k, v, mask)[1].detach()
    return weights @ v, weights
