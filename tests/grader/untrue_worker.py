"""A worker that is none, for tests of the judge's end of the wire."""

import socket

from grader.judge.link import Status


class UntrueWorker:
    """What the judge asks of a worker's process, answered in the test's own; what is said over `sock` is the test's."""

    def __init__(self) -> None:
        self.sock, self.theirs = socket.socketpair()

    def cpu_seconds(self) -> float:
        return 0.0

    def kill(self, why: str, status: Status = "error") -> None:
        pass

    def describe_exit(self) -> tuple[Status, str]:
        return "error", "The program lied."

    def close(self) -> None:
        self.sock.close()
        self.theirs.close()
