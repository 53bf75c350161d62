"""Answers with a dict whose items never end. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
EARNS = ()
SAYS = ("The program",)


class Endless(dict):
    def items(self):
        while True:
            yield (1, 2)


def causal_mask(size):
    return Endless()
