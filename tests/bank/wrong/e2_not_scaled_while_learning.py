"""When the queries ask for a gradient the scores are not divided by the square root of d_k."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q * q.size(-1) ** 0.5 if q.requires_grad else q, k, v, mask)
