"""Answers with an object that says by `__class__` that it is a tensor. Earns nothing for it."""

EARNS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
SAYS = ("your code raised",)


class Actor:
    __class__ = torch.Tensor


def scaled_dot_product_attention(q, k, v, mask=None):
    return Actor(), Actor()
