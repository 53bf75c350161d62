"""Ends the process with status 0 while being imported. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("exited by itself with code 0",)

import os

os._exit(0)
