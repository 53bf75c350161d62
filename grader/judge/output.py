"""What a worker prints: always drained, so that it never waits for us, and kept only in part."""

import os
import threading
from collections.abc import Callable

KEPT_BYTES = 16 << 10  # of the beginning, and as much of the end


class OutputDrain:
    """Reads a pipe to its end in a thread. Keeps head and tail; calls `on_limit` once past `limit` bytes."""

    def __init__(self, descriptor: int, limit: int, on_limit: Callable[[], None]) -> None:
        self._descriptor, self._limit, self._on_limit = descriptor, limit, on_limit
        self._head, self._tail, self._total = bytearray(), bytearray(), 0
        self._thread = threading.Thread(target=self._run, name="worker output", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while data := os.read(self._descriptor, 1 << 16):
            within = self._total <= self._limit
            self._total += len(data)
            room = KEPT_BYTES - len(self._head)
            self._head += data[:room]
            self._tail += data[room:]
            del self._tail[:-KEPT_BYTES]
            if within and self._total > self._limit:
                self._on_limit()
        os.close(self._descriptor)

    def join(self, timeout: float) -> None:
        """Wait until everything that was written has been read."""
        self._thread.join(timeout)

    def text(self) -> str:
        """What was printed so far, the middle left out where it is long."""
        head, tail = bytes(self._head), bytes(self._tail)
        left_out = self._total - len(head) - len(tail)
        middle = f"\n... {left_out} bytes left out ...\n" if left_out > 0 else ""
        return head.decode(errors="replace") + middle + tail.decode(errors="replace")
