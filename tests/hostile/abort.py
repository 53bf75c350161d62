"""Aborts. Earns the masks."""

AT_EVERY_LEVEL = True
EARNS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
SAYS = ("The program crashed (SIGABRT)",)


def scaled_dot_product_attention(q, k, v, mask=None):
    import os

    os.abort()
