"""The folder of reports: one run at a time writes to it, and what an ended run has left half written goes."""

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.exit_status import Unusable
from grader.reports.files import PARTS

# The judges of a run that was killed end at once, but not before it.
_PATIENCE_SECONDS = 5.0


@contextmanager
def reserved(out: Path) -> Iterator[None]:
    """Make `out`, see that it can be written to, and keep other runs away as long as this one lasts.

    The lock is the kernel's, on the folder itself: it leaves no file, and ends with its owner however that ends.
    """
    out.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(out, os.O_RDONLY)
    try:
        _lock(descriptor, out)
        for part in (*out.glob(PARTS), *out.glob(f"*/{PARTS}")):
            part.unlink(missing_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, out: Path) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Unusable(f"another run is writing its reports to {out}; wait for its end") from None
            time.sleep(0.05)
        except OSError:
            return  # a file system that knows no locks
        else:
            return
