"""Writes as much as it can, everywhere that it can; otherwise right. Earns all."""

AT_EVERY_LEVEL = True
EARNS = "all"
SAYS = ()

import os

for folder in (".", "/tmp", "/var/tmp", "/dev/shm"):
    try:
        with open(os.path.join(folder, "@CANARY@"), "wb") as file:
            for _ in range(200):
                file.write(bytes(1 << 20))
    except OSError:
        pass
