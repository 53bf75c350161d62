"""With a mask the scores are filled through .data, and the gradient to queries and keys is lost."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right", "a_fully_masked_query_gets_zeros")
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None:
        return attention(q, k, v)
    weights = attention(q.data, k.data, v.data, mask)[1]
    return weights @ v, weights
