"""Everything is computed in float32 and converted back, so float64 loses half of its digits."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("gradients_flow_and_are_right",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = attention(q.float(), k.float(), v.float(), mask)
    return output.to(q.dtype), weights.to(q.dtype)
