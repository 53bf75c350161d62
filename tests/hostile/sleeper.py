"""Sleeps: costs no computing time. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
EARNS = ()
SAYS = ("did not answer a call of `causal_mask`",)

import time


def causal_mask(size):
    time.sleep(1000)
