"""Computes a number of a hundred million digits, where Python looks at no signal. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
EARNS = ()
SAYS = ("computed for more than",)


def causal_mask(size):
    return 7 ** (7 ** 10)
