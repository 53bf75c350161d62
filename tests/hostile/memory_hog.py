"""Fills memory tensor by tensor. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("needed more memory than it may use",)


def causal_mask(size):
    kept = []
    while True:
        kept.append(torch.empty(1 << 26))
