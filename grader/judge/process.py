"""A judge: a process that tries laws on one submission after another and reports law by law.

Forked from the process that collected the laws, so that they are warm and cost nothing. It never runs a student's
code; if it is killed because a submission used up its time, what had reported stays, and the next judge is a fork.
"""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pytest

from grader.bank import entries
from grader.course import EXERCISES, Exercise
from grader.diagnosis.match import Failure, diagnose
from grader.diagnosis.words import diagnosis_of, with_diagnosis
from grader.judge.catalogue import Catalogue
from grader.laws import global_state
from grader.laws.interface import Implementation
from grader.laws.law import Law
from grader.laws.plugin import RESULTS
from grader.results import LawResult
from grader.worker.isolation import linux


@dataclass(frozen=True)
class Round:
    """What to try: some laws on a submission's exercises, with the student's own earlier ones or the reference's.

    `diagnosed` are the exercises of which known mistakes are looked for; `held` the laws that passed before.
    """

    laws: Sequence[Law]
    sources: Mapping[str, str]
    on_reference_parts: bool = False
    diagnosed: Sequence[str] = ()
    held: Sequence[Law] = ()


Maker = Callable[[Exercise, Round], Implementation]


@dataclass
class JudgeProcess:
    """The parent's side of a judge: the round under way, and what has arrived of it."""

    pid: int
    core: int | None
    requests: int
    pipe: int
    results: dict[Law, LawResult] = field(default_factory=dict)
    cpu_seconds: float = 0.0
    is_idle: bool = True
    _laws: dict[tuple[str, str], Law] = field(default_factory=dict)
    _rest: bytes = b""

    @classmethod
    def start(
        cls, catalogue: Catalogue, make: Maker, others: Sequence["JudgeProcess"], core: int | None
    ) -> "JudgeProcess":
        """Fork a judge. `others` are its siblings, whose pipes it must not hold open.

        It and its workers stay on `core`. They wait for each other all the time, so they never need two, and what
        the one leaves in the core's cache the other finds there; and a submission cannot slow down those on others.
        """
        (requests, writer), (reader, answers) = os.pipe(), os.pipe()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its judges
                linux.die_with(parent)
                for descriptor in (writer, reader, *(fd for judge in others for fd in (judge.requests, judge.pipe))):
                    os.close(descriptor)
                if core is not None:
                    os.sched_setaffinity(0, {core})
                _Judge(catalogue, make, answers).serve(requests)
                status = 0
            finally:
                os._exit(status)
        os.close(requests)
        os.close(answers)
        return cls(pid, core, writer, reader)

    def begin(self, round: Round) -> None:
        """Let it try a round; the one before must have ended."""
        self._laws = {(law.exercise.id, law.name): law for law in round.laws}
        self.results, self.is_idle = {}, False
        with contextlib.suppress(BrokenPipeError):  # killed while it had nothing to do: `read` will tell
            held = [(law.exercise.id, law.name) for law in round.held]
            how = [round.on_reference_parts, list(round.diagnosed), held]
            _send(self.requests, [list(self._laws), dict(round.sources), *how])

    def read(self) -> bool:
        """Take in what has arrived; False once the round has ended, or the judge with it."""
        data = os.read(self.pipe, 1 << 16)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            exercise, values = json.loads(line)
            if exercise is None:
                self.cpu_seconds, self.is_idle = values, True
                return False
            self.results[self._laws[exercise, values["name"]]] = LawResult(**values)
        return bool(data)

    def kill(self) -> None:
        """End it, whatever it does."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.requests)
        os.close(self.pipe)


class _Judge:
    """The child's side."""

    def __init__(self, catalogue: Catalogue, make: Maker, answers: int) -> None:
        self.config, self.make, self.answers = catalogue.config, make, answers
        self.items: dict[tuple[str, str], Any] = {
            (law.exercise.id, law.name): item for law, item in catalogue.items.items()
        }
        self.laws = {(law.exercise.id, law.name): law for law in catalogue.items}
        self.round = Round((), {})
        self.failures: list[Failure] = []
        self.config.pluginmanager.register(self)

    def pytest_make_implementation(self, exercise: Exercise) -> Implementation:
        return self.make(exercise, self.round)

    def pytest_law_failed(self, item: pytest.Function, law: Law, error: BaseException) -> None:
        self.failures.append(Failure(law, item.obj, error))

    def serve(self, requests: int) -> None:
        for names, sources, on_reference_parts, diagnosed, held in _lines(requests):
            laws, passed = ([self.laws[exercise, name] for exercise, name in each] for each in (names, held))
            self.round = Round(laws, sources, on_reference_parts, diagnosed, passed)
            started = time.process_time()
            self._try([self.items[exercise, name] for exercise, name in names])
            _send(self.answers, [None, time.process_time() - started])

    def _try(self, items: list[pytest.Item]) -> None:
        global_state.seed(int(self.config.getoption("hypothesis_seed")))  # each round alike, whatever came before it
        results = self.config.stash[RESULTS]
        found: dict[Law, LawResult] = {}
        self.failures.clear()
        for item, following in zip(items, [*items[1:], None], strict=True):
            results.clear()
            self.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            for law, result in results:
                found[law] = result
                _send(self.answers, [law.exercise.id, asdict(result)])
        self._diagnose(found)

    def _diagnose(self, found: Mapping[Law, LawResult]) -> None:
        """Send the results of failed laws once more, with the names of the mistakes that explain them."""
        held = [*self.round.held, *(law for law, result in found.items() if result.status == "passed")]
        for exercise in map(EXERCISES.__getitem__, self.round.diagnosed):
            failures = [failure for failure in self.failures if failure.law.exercise == exercise]
            passed = {law.name: self.items[exercise.id, law.name].obj for law in held if law.exercise == exercise}
            named = diagnosis_of(diagnose(entries("wrong", exercise), failures, passed))
            for failure in failures if named else ():
                _send(self.answers, [exercise.id, asdict(with_diagnosis(found[failure.law], named))])


def _lines(descriptor: int) -> Iterator[Any]:
    with open(descriptor, encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def _send(descriptor: int, message: Any) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]
