"""Starts a process that outlives it; otherwise right. Earns all."""

EARNS = "all"
SAYS = ()

import subprocess

try:
    subprocess.Popen(["sleep", "9999"], start_new_session=True)
except OSError:
    pass
