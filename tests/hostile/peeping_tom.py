"""Looks into the memory and files of other processes by /proc and raw system calls; otherwise right. Earns all."""

AT_EVERY_LEVEL = True
EARNS = "all"
SAYS = ()

import ctypes
import glob
import os

for name in ("mem", "fd/0", "fd/3", "root/etc/passwd", "cwd"):
    for path in glob.glob(f"/proc/[0-9]*/{name}"):
        try:
            if f"/{os.getpid()}/" not in path and open(path, "rb").read(1):
                raise SystemExit(f"read {path}")
        except OSError:
            pass
libc = ctypes.CDLL(None)
for number in (101, 310, 438):  # ptrace, process_vm_readv, pidfd_getfd
    libc.syscall(number, 16, os.getppid() or 2, 0, 0, 0, 0)
