"""The queries are cut from the graph, and only the keys and values learn."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ("a_fully_masked_query_gets_zeros",)


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return _right(q.detach(), k, v, mask)
