"""Starts threads without end. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("can't start new thread",)

import threading


def causal_mask(size):
    forever = threading.Event()
    for _ in range(100_000):
        threading.Thread(target=forever.wait, daemon=True).start()
