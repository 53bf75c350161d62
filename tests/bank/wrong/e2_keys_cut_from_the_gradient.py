"""The keys are detached: queries and values learn, keys never do."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ("a_fully_masked_query_gets_zeros",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k.detach(), v, mask)
