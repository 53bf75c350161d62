"""Announces a frame and never ends it. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
EARNS = ()
SAYS = ("did not answer a call",)

import os
import struct
import time


def causal_mask(size):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, struct.pack("<4sIIQ", b"TBH1", 0, 1 << 20, 0))
        except OSError:
            continue
        for _ in range(200):
            time.sleep(0.1)
            os.write(descriptor, b"x")
