"""How tests make a worker run hostile code, and find out what became of it."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import hypothesis
import pytest

if sys.platform == "linux":
    from grader.judge.workers import WorkerProcess

SERVE = "tests.grader.isolation.attack_server:serve"
# A package that no worker needs plays the course that was installed among Python's own packages.
HIDDEN = Path(hypothesis.__file__).parent
SLEEP = "import time; time.sleep(1000)"
SPIN = "while True: pass"


class Lost(Exception):
    """The worker ended instead of answering."""


def send(worker: "WorkerProcess", code: str) -> None:
    try:
        worker.sock.sendall(json.dumps(code).encode() + b"\n")
    except BrokenPipeError:
        raise Lost from None


def run(worker: "WorkerProcess", code: str) -> Any:
    """What `code` leaves as `result` in the worker, or the name of the exception it raises."""
    worker.sock.settimeout(30)
    send(worker, code)
    data = b""
    while not data.endswith(b"\n"):
        try:
            piece = worker.sock.recv(1 << 16)
        except ConnectionResetError:
            piece = b""
        if not piece:
            raise Lost
        data += piece
    answer = json.loads(data)
    return answer["error"] if "error" in answer else answer["result"]


def run_to_its_end(worker: "WorkerProcess", code: str) -> tuple[str, str]:
    with pytest.raises(Lost):
        run(worker, code)
    return worker.describe_exit()


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def gone_within(seconds: float, *pids: int) -> bool:
    end = time.monotonic() + seconds
    while any(is_running(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def pid_of(worker: "WorkerProcess") -> int:
    pid = worker.pid()
    assert pid is not None
    return pid
