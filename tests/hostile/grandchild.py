"""Starts a process that outlives it; otherwise right. Earns all."""

AT_EVERY_LEVEL = True
EARNS = "all"
SAYS = ()

import subprocess

try:
    subprocess.Popen(["sleep", "9999"], start_new_session=True)
except OSError:
    pass
