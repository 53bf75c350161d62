"""Leaves a child that writes results two seconds later. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("should have shape",)

import os
import time

try:
    if os.fork() == 0:
        time.sleep(2)
        open("/tmp/@CANARY@", "w").close()
        os._exit(0)
except OSError:
    pass
