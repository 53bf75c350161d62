"""Ignores all signals, swallows all exceptions, and never returns. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("computed for more than",)

import signal

for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def causal_mask(size):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
