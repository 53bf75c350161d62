"""Answers with tensors that have a shape and no values. Earns the masks."""

EARNS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
SAYS = ("device of the inputs",)


def scaled_dot_product_attention(q, k, v, mask=None):
    shapes = (*q.shape[:-1], v.shape[-1]), (*q.shape[:-1], k.shape[-2])
    return tuple(torch.empty(shape, dtype=q.dtype, device="meta") for shape in shapes)
