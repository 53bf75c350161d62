"""With a single query the output loses the axis of the queries."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch",)
ALSO = ("masks_of_every_shape_work", "a_fully_masked_query_gets_zeros", "gradients_flow_and_are_right")

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = attention(q, k, v, mask)
    return output.squeeze(-2), weights
