"""Answers with sparse tensors. Earns the masks."""

EARNS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
SAYS = ("it is a value of type Tensor",)


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return tuple(tensor.to_sparse() for tensor in _right(q, k, v, mask))
