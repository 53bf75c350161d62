"""Writes outside its folder; otherwise right. Earns all."""

AT_EVERY_LEVEL = True
EARNS = "all"
SAYS = ()

import os
import pathlib

site = os.path.dirname(os.path.dirname(torch.__file__))
for folder in ("/tmp", "~", "/var/tmp", "/dev/shm", "..", "../..", site, "@COURSE@", "@OUT@", "@SUBMISSIONS@/honest"):
    try:
        pathlib.Path(folder).expanduser().joinpath("@CANARY@").write_text("was here")
    except OSError:
        pass
