"""Calls itself without end, with Python's limit on that taken away. Earns nothing."""

EARNS = ()
SAYS = ("The program crashed (SIGSEGV)",)

import sys


def causal_mask(size):
    sys.setrecursionlimit(10**9)
    return sorted([size], key=causal_mask)
