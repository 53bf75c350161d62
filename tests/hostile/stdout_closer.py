"""Closes its standard streams; otherwise right. Earns all."""

EARNS = "all"
SAYS = ()

import os

os.closerange(0, 3)
