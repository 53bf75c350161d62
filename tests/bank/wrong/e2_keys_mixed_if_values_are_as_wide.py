"""If keys and values have one shape, the keys are mixed instead of the values."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch",)
ALSO = ("any_memory_layout_works", "masks_of_every_shape_work")


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = _right(q, k, v, mask)
    return (weights @ k if k.shape == v.shape else output), weights
