"""Takes back what it gave up: user, namespaces, mounts, root, limits, clock; otherwise right. Earns all."""

AT_EVERY_LEVEL = True
EARNS = "all"
SAYS = ()

import ctypes
import os
import resource
import time

libc = ctypes.CDLL(None)
for escape in (
    lambda: os.setuid(0),
    lambda: os.chroot(".."),
    lambda: os.setns(os.open("/proc/1/ns/mnt", os.O_RDONLY)),
    lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
    lambda: os.sched_setaffinity(0, range(64)),
    lambda: os.nice(-20),
    lambda: time.clock_settime(time.CLOCK_REALTIME, 0),
    lambda: libc.unshare(0x10000000),
    lambda: libc.mount(b"none", b"/", b"tmpfs", 0, None),
    lambda: libc.prctl(4, 1, 0, 0, 0),
):
    try:
        escape()
    except (OSError, ValueError, AttributeError):
        pass
