"""How a worker ends, what is told of it, and who goes with it, on every level."""

import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.course import ROOT
from tests.grader.isolation.asking import SERVE, SLEEP, SPIN, gone_within, is_running, pid_of, run, run_to_its_end, send

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are isolated on Linux only")

if sys.platform == "linux":
    from grader.judge.workers import WorkerProcess, Zygote


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import os; os._exit(3)", "exited by itself with code 3"),
        ("import ctypes; ctypes.string_at(0)", "crashed (SIGSEGV)"),
        ("import os; os.closerange(0, 64); __import__('time').sleep(60)", "closed its connection to the grader and"),
        ("import os; os.abort()", "crashed (SIGABRT)"),
    ],
)
def test_its_end_is_told(worker: "WorkerProcess", code: str, told: str) -> None:
    status, sentence = run_to_its_end(worker, code)
    assert status == "error"
    assert told in sentence


def test_the_judge_can_stop_it_with_a_reason(worker: "WorkerProcess") -> None:
    send(
        worker,
        f"import threading as t\nfor _ in range(5): t.Thread(target=exec, args=[{SPIN!r}]).start()\n{SPIN}",
    )
    pid = pid_of(worker)
    worker.kill("gave no answer for 3 seconds", "timeout")
    assert worker.describe_exit() == ("timeout", "The program gave no answer for 3 seconds and was stopped.")
    assert not is_running(pid)


def test_a_judge_that_dies_takes_its_workers_along_and_no_others(zygote: "Zygote", worker: "WorkerProcess") -> None:
    reading, writing = os.pipe()
    judge = os.fork()
    if judge == 0:
        try:
            theirs = zygote.spawn()
            send(theirs, SLEEP)
            os.write(writing, str(theirs.pid()).encode())
        finally:
            os._exit(0)
    os.waitpid(judge, 0)
    assert gone_within(5, int(os.read(reading, 32)))
    os.close(reading)
    os.close(writing)
    assert run(worker, "result = 'alive'") == "alive"


def test_all_die_with_the_grader(zygote: "Zygote", tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        f"import json, os, signal\nfrom grader.judge.workers import Zygote\n"
        f"zygote = Zygote({zygote.level!r}, serve={SERVE!r})\n"
        f"workers = [zygote.spawn() for _ in range(2)]\n"
        f"for w in workers: w.sock.sendall(json.dumps({SPIN!r}).encode() + b'\\n')\n"
        f"print(zygote.pid, *[w.pid() for w in workers], flush=True)\n"
        f"os.kill(os.getpid(), signal.SIGKILL)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 3
    assert gone_within(5, *pids)


def test_a_worker_is_ready_soon(zygote: "Zygote") -> None:
    seconds = []
    for _ in range(5):
        began = time.monotonic()
        with zygote.spawn() as worker:
            assert run(worker, "result = 1") == 1
            seconds.append(time.monotonic() - began)
    assert statistics.median(seconds) < 1


def test_descriptors_of_ended_workers_are_given_back(zygote: "Zygote") -> None:
    def descriptors() -> tuple[int, int]:
        mine, theirs = Path("/proc/self/fd"), Path(f"/proc/{zygote.pid}/fd")
        return len(list(mine.iterdir())), len(list(theirs.iterdir()))

    time.sleep(0.2)  # the zygote tells of an end before it closes what belonged to it
    before = descriptors()
    for _ in range(5):
        with zygote.spawn() as worker:
            run(worker, "result = 1")
    time.sleep(0.2)
    assert descriptors() == before
