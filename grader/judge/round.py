"""One round: some laws tried on one submission, in a forked judge process that reports law by law.

The fork keeps the warm, collected laws of its parent at no cost, and whatever happens in it happens to this round
only: if it is killed, the laws it had finished have already reported.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pytest

from grader.course import Exercise
from grader.judge.catalogue import Catalogue
from grader.laws.interface import Implementation
from grader.laws.law import Law
from grader.laws.plugin import RESULTS
from grader.results import LawResult

Maker = Callable[[Exercise], Implementation]


@dataclass
class Round:
    """A running round: where its results arrive, and what has arrived."""

    pid: int
    pipe: int
    results: dict[Law, LawResult] = field(default_factory=dict)
    cpu_seconds: float = 0.0
    _laws: dict[tuple[str, str], Law] = field(default_factory=dict)
    _rest: bytes = b""

    def read(self) -> bool:
        """Take in what has arrived; False once the round has ended."""
        data = os.read(self.pipe, 1 << 16)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            exercise, values = json.loads(line)
            self.results[self._laws[exercise, values["name"]]] = LawResult(**values)
        return bool(data)

    def finish(self) -> None:
        """Reap the process, killing it first if it still runs."""
        os.kill(self.pid, signal.SIGKILL)
        _, _, usage = os.wait4(self.pid, 0)
        self.cpu_seconds = usage.ru_utime + usage.ru_stime
        os.close(self.pipe)


def start(catalogue: Catalogue, laws: Sequence[Law], make: Maker) -> Round:
    """Try `laws` in a new process on the implementations that `make` builds there."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(reader)
            _run(catalogue, laws, make, writer)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    return Round(pid, reader, _laws={(law.exercise.id, law.name): law for law in laws})


class _MakesImplementations:
    """The pytest plugin that puts a submission before the laws."""

    def __init__(self, make: Maker) -> None:
        self.make = make

    def pytest_make_implementation(self, exercise: Exercise) -> Implementation:
        return self.make(exercise)


def _run(catalogue: Catalogue, laws: Sequence[Law], make: Maker, writer: int) -> None:
    config = catalogue.config
    config.pluginmanager.register(_MakesImplementations(make))
    items: list[pytest.Item] = [catalogue.items[law] for law in laws]
    sent = 0
    for item, following in zip(items, [*items[1:], None], strict=True):
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        for law, result in config.stash[RESULTS][sent:]:
            _send(writer, [law.exercise.id, asdict(result)])
        sent = len(config.stash[RESULTS])


def _send(writer: int, message: Any) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(writer, data) :]
