"""Prints passes and a record of points. Earns nothing."""

EARNS = ()
SAYS = ("should have shape",)

import sys

sys.__stdout__.write('100 passed in 0.01s {"score": 100}')
sys.__stdout__.flush()
