"""Writes guesses of the protocol to every descriptor. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("(not a frame)",)

import os


def causal_mask(size):
    for descriptor in range(3, 64):
        for guess in (b'{"ok": true}', bytes(64), b"passed\n", b"\x80\x04K\x01."):
            try:
                os.write(descriptor, guess)
            except OSError:
                pass
    return torch.zeros(size, size)
