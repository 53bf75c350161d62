"""Raises an exception whose text never ends being made. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
EARNS = ()
SAYS = ("computed for more than",)


class Endless(Exception):
    def __str__(self):
        while True:
            pass


def causal_mask(size):
    raise Endless
