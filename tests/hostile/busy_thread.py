"""Leaves a thread that computes for ever; otherwise right. Earns all, slowly."""

LAWS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
EARNS = "all"
SAYS = ()

import threading


def spin():
    while True:
        pass


threading.Thread(target=spin).start()
