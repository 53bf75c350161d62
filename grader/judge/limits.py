"""How much one worker may use."""

from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of one worker, that is of one submission and one exercise.

    CPU time is what counts, since a busy machine must not fail an honest student; the wall time only catches
    a worker that waits for ever.
    """

    cpu_seconds: float = 60.0
    wall_seconds: float = 300.0
    memory_bytes: int = 2048 * MEGABYTE  # beyond what the interpreter and torch take
    output_bytes: int = 8 * MEGABYTE
    work_bytes: int = 64 * MEGABYTE  # the only place a worker can write to
    threads: int = 16
