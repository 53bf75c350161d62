"""Resource limits of a worker, set by itself before it loses the right to change them."""

import math
import resource
from dataclasses import dataclass
from pathlib import Path

OPEN_FILES = 64


@dataclass(frozen=True)
class WorkerLimits:
    """What one worker may use. The wall time is kept by the zygote, the rest by the kernel."""

    cpu_seconds: float = 60.0
    wall_seconds: float = 300.0
    memory_bytes: int = 2 << 30
    work_bytes: int = 64 << 20
    threads: int = 16


def address_space() -> int:
    """Bytes of address space in use, most of it torch's libraries shared with the zygote."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def tasks_on_machine() -> int:
    """Processes and threads that exist now, of all users."""
    running_and_all = Path("/proc/loadavg").read_text(encoding="ascii").split()[3]
    return int(running_and_all.split("/")[1])


def apply(limit: WorkerLimits, *, threads: int, address_space_in_use: int | None) -> None:
    """Set the limits. `memory_bytes` comes on top of `address_space_in_use`.

    That is None, and memory not limited, on a GPU: CUDA reserves terabytes of addresses that it never fills.
    """
    values = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: math.ceil(limit.cpu_seconds),
        resource.RLIMIT_NPROC: threads,
        resource.RLIMIT_FSIZE: limit.work_bytes,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_RTPRIO: 0,
        resource.RLIMIT_NICE: 0,
    }
    if address_space_in_use is not None:
        values[resource.RLIMIT_AS] = address_space_in_use + limit.memory_bytes
    for name, value in values.items():
        hard = resource.getrlimit(name)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (allowed, allowed))
