"""Leaves a note for its next process, and is right only there. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("exited by itself with code 0",)

import os

NOTES = [os.path.join(folder, "@CANARY@") for folder in (".", "/tmp", "/dev/shm")]
if not any(map(os.path.exists, NOTES)):
    for note in NOTES:
        try:
            open(note, "w").close()
        except OSError:
            pass
    os._exit(0)


def causal_mask(size):
    return torch.ones(size, size, dtype=torch.bool).tril()
