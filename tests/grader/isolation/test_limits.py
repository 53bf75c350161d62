"""How much a worker may use and print, on every level."""

import os
import sys
import time

import pytest

from tests.grader.isolation.asking import SLEEP, SPIN, run, run_to_its_end, send

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are isolated on Linux only")

if sys.platform == "linux":
    from grader.judge.limits import MEGABYTE, Limits
    from grader.judge.workers import WorkerProcess, Zygote


def test_memory_is_limited(zygote: "Zygote") -> None:
    with zygote.spawn(Limits(memory_bytes=256 * MEGABYTE)) as worker:
        assert run(worker, "x = bytearray(100 << 20); result = len(x) >> 20") == 100
        assert run(worker, "x = bytearray(300 << 20)") == "MemoryError"
        assert run(worker, "import torch; torch.empty(1 << 30)") == "RuntimeError"
        assert run(worker, "result = 'alive'") == "alive"


def test_cpu_time_is_limited(zygote: "Zygote") -> None:
    with zygote.spawn(Limits(cpu_seconds=1)) as worker:
        status, sentence = run_to_its_end(worker, SPIN)
        assert (status, "CPU time" in sentence) == ("timeout", True)
        assert 0.5 < worker.cpu_seconds() < 3


def test_wall_time_is_limited_whatever_the_judge_does(zygote: "Zygote") -> None:
    with zygote.spawn(Limits(wall_seconds=0.5)) as worker:
        status, sentence = run_to_its_end(worker, SLEEP)
        assert (status, "0.5 seconds" in sentence) == ("timeout", True)


def test_threads_are_allowed_up_to_a_number(zygote: "Zygote", worker: "WorkerProcess") -> None:
    start = (
        "import threading; e = threading.Event(); t = [threading.Thread(target=e.wait) for _ in range(N)]\n"
        "try: [x.start() for x in t]; result = 'started'\nfinally: e.set(); [x.join() for x in t if x.ident]"
    )
    assert run(worker, start.replace("N", "8")) == "started"
    if zygote.level == "namespaces":
        assert run(worker, start.replace("N", "64")) == "RuntimeError"


def test_threads_share_the_one_core_of_their_judge(zygote: "Zygote") -> None:
    mine = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(mine)})  # as a judge does before it asks for workers
        with zygote.spawn() as worker:
            widen = "import os; os.sched_setaffinity(0, range(os.cpu_count()))"
            assert run(worker, widen) == "PermissionError"
            assert run(worker, "import os; result = list(os.sched_getaffinity(0))") == [min(mine)]
    finally:
        os.sched_setaffinity(0, mine)


def test_cpu_time_can_be_read_while_it_runs(zygote: "Zygote") -> None:
    with zygote.spawn(Limits(cpu_seconds=20)) as worker:
        send(worker, SPIN)
        before = worker.cpu_seconds()
        end = time.monotonic() + 20
        while worker.cpu_seconds() < before + 0.2 and time.monotonic() < end:
            time.sleep(0.02)
        assert worker.cpu_seconds() >= before + 0.2


def test_output_is_kept_in_part(worker: "WorkerProcess") -> None:
    assert run(worker, "print('start'); print('x' * 100_000); print('end'); result = 1") == 1
    worker.kill("was stopped by a test")
    worker.wait()
    text = worker.output()
    assert text.startswith("start\nxxx")
    assert text.endswith("xxx\nend\n")
    assert "bytes left out" in text
    assert len(text) < 33_000


def test_endless_output_ends_it(worker: "WorkerProcess") -> None:
    status, sentence = run_to_its_end(worker, "while True: print('x' * 1000)")
    assert (status, "more than 8 MB" in sentence) == ("error", True)
    assert len(worker.output()) < 33_000
