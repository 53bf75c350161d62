"""The queries are divided by sqrt(d_k), and the scores once more."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("scores_are_divided_by_the_root_of_d_k", "attention_agrees_with_torch")
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q / q.size(-1) ** 0.5, k, v, mask)
