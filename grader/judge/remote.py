"""The façade of a submission whose code runs in a sandboxed worker: what a law sees as `impl`."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from grader.course import EXERCISES, Exercise
from grader.judge.calls import call
from grader.judge.failures import summary
from grader.judge.link import Link, Policy, Process, Watched
from grader.judge.mirror import Target
from grader.laws.errors import MissingName, StudentError, WorkerLost
from grader.laws.help import help_with
from grader.laws.interface import Calls, Names, Observation
from grader.worker.frames import ProtocolError

_PACKAGE = "exercises"
_LOADS = 2


class RemoteImplementation:
    """One exercise of one submission, in a worker spawned when it is first needed, and anew after a loss.

    `files` are the submission's modules, keyed "exercises/<module>.py"; earlier exercises are imported from them.
    `exercise_seconds` of wall time are for all laws together, so that no exercise uses up the time of the next.
    """

    def __init__(
        self,
        spawn: Callable[[], Process],
        exercise: Exercise,
        files: Mapping[str, str],
        *,
        device: str = "cpu",
        call_seconds: float = 5.0,
        load_seconds: float = 10.0,
        exercise_seconds: float = 150.0,
    ) -> None:
        self.device = device
        self._spawn = spawn
        self._exercise = exercise
        self._files = dict(files)
        self._load_seconds = load_seconds
        self._policy = Policy(call_seconds, exercise_seconds, ends=time.monotonic() + exercise_seconds)
        self._link: Link | None = None
        self._missing: frozenset[str] = frozenset()
        self._failed_loads = 0
        self._load_failure: WorkerLost | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        link = self._open_for(name)
        return _caller(link, Target(name, name, module=self._main_module))

    @property
    def earlier(self) -> Names:
        """The public names of the exercises before this one."""
        return _Earlier(self._open())

    @property
    def source(self) -> str:
        """The text of this exercise's file."""
        return self._files[self._main_file]

    @property
    def library_calls(self) -> set[str]:
        """The torch shortcuts seen running inside `observe` so far."""
        return self._policy.library_calls

    def each(self, name: str, calls: Calls) -> list[Any]:
        """The results of several calls of one public name, in one exchange with the worker and the time of one."""
        link = self._open_for(name)
        results = call(link, Target(name, "each", module="tools"), (self._main_module, name, list(calls)), {})
        if type(results) is not list or len(results) != len(calls):
            link.reject(ProtocolError("another number of results"))
        return results

    def probe(self, name: str, *args: Any, **kwargs: Any) -> nn.Module:
        """A little known module of `grader.laws.probes`, beside the student's code."""
        module: nn.Module = call(self._open(), Target(name, name, module="probes"), args, kwargs)
        return module

    def optimizer(self, model: nn.Module, name: str, **options: Any) -> Any:
        """A torch optimizer over `model`'s parameters in the worker, to hand to a student's function."""
        return self._use_tool("optimizer", model, name, options)

    def generator(self, seed: int) -> Any:
        """A seeded generator in the worker, to hand to a student's function."""
        return self._use_tool("generator", seed)

    def seed(self, value: int) -> None:
        """Seed the worker's global generators."""
        self._use_tool("seed", value)

    @contextmanager
    def observe(self, *tensors: Tensor) -> Iterator[Observation]:
        """Watch what the calls inside do to these tensors and to the worker."""
        watched = Watched(tensors, Observation())
        self._policy.watched.append(watched)
        try:
            yield watched.seen
        finally:
            self._policy.watched.remove(watched)

    @contextmanager
    def allow(self, *, cpu_seconds: float) -> Iterator[None]:
        """Give each call inside this much CPU time."""
        usual, self._policy.call_seconds = self._policy.call_seconds, cpu_seconds
        try:
            yield
        finally:
            self._policy.call_seconds = usual

    def renew(self) -> None:
        """Between laws: forget changed settings, and a worker that was lost; the next call gets a new one."""
        self._policy.renew = True
        if self._link is not None and self._link.lost is not None:
            self.close()

    def close(self) -> None:
        """End the worker."""
        if self._link is not None:
            self._link.close()
            self._link = None

    @property
    def _main_file(self) -> str:
        return f"{_PACKAGE}/{self._exercise.filename}"

    @property
    def _main_module(self) -> str:
        return f"{_PACKAGE}.{self._exercise.module}"

    def _use_tool(self, name: str, *args: Any) -> Any:
        return call(self._open(), Target(name, name, module="tools"), args, {})

    def _open_for(self, name: str) -> Link:
        """The worker, for calls of a name that the file defines."""
        link = self._open()
        if name in self._missing:
            raise MissingName(self._exercise.filename, name)
        return link

    def _open(self) -> Link:
        """The worker with the submission loaded; the loading's failure if it failed before."""
        if self._link is not None:
            if self._link.lost is not None:
                raise self._link.lost
            return self._link
        if self._load_failure is not None and self._failed_loads >= _LOADS:
            raise self._load_failure
        if time.monotonic() > self._policy.ends:
            seconds = self._policy.exercise_seconds
            raise WorkerLost("timeout", f"The {seconds:g} s of this exercise were used up before this law was tried.")
        self._link = Link(self._spawn(), self._policy)
        try:
            self._load(self._link)
        except WorkerLost as failure:
            self._failed_loads += 1
            self._load_failure = failure
            raise
        return self._link

    def _load(self, link: Link) -> None:
        body = {
            "op": "load",
            "files": self._files,
            "main": self._main_module,
            "names": self._exercise.names,
            "device": self.device,
        }
        reply, _ = link.request(f"import {self._exercise.module}", body, [], self._load_seconds)
        try:
            missing = link.result(reply).get("missing")
        except StudentError as error:
            # Not the student's exception itself: a law that expects a ValueError must not take it for one.
            told = f"{self._exercise.filename} cannot be imported: {summary(error)}"
            link.end(WorkerLost("error", "\n".join(filter(None, (told, help_with(str(error)))))))
        if type(missing) is not list:
            link.reject(ProtocolError("no word of what is defined"))
        self._missing = frozenset(name for name in self._exercise.names if name in missing)


class _Earlier:
    """`impl.earlier`: any public name of the course, found in the exercise that defines it."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def __getattr__(self, name: str) -> Callable[..., Any]:
        for exercise in EXERCISES.values():
            if name in exercise.names:
                return _caller(self._link, Target(name, name, module=f"{_PACKAGE}.{exercise.module}"))
        raise AttributeError(name)


def _caller(link: Link, target: Target) -> Callable[..., Any]:
    def caller(*args: Any, **kwargs: Any) -> Any:
        return call(link, target, args, kwargs)

    caller.__name__ = target.path
    return caller
