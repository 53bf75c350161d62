"""The judge's end of one worker: requests and answers, and its end when it does not play along."""

import itertools
import math
import socket
import time
import weakref
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, Protocol

from torch import Tensor

from grader.judge.failures import is_memory_failure, student_error
from grader.laws.errors import WorkerLost
from grader.laws.interface import Observation
from grader.worker import frames

Status = Literal["error", "timeout", "out_of_memory"]
_TRIES = 2


class Process(Protocol):
    """What is needed of `grader.judge.workers.WorkerProcess`."""

    @property
    def sock(self) -> socket.socket: ...

    def cpu_seconds(self) -> float: ...

    def kill(self, why: str, status: Status = "error") -> None: ...

    def describe_exit(self) -> tuple[Status, str]: ...

    def close(self) -> None: ...


@dataclass
class Watched:
    """An `observe` block that is open: its tensors, and what was seen."""

    tensors: tuple[Tensor, ...]
    seen: Observation


@dataclass
class Policy:
    """What outlives a worker: the time for a call and in all, open observations, which functions ran out of time.

    `renew` asks the worker to undo, before the next call, what earlier ones changed in its global settings
    and generators.
    """

    call_seconds: float
    exercise_seconds: float = 150.0
    ends: float = math.inf
    timeouts: Counter[str] = field(default_factory=Counter)
    watched: list[Watched] = field(default_factory=list)
    library_calls: set[str] = field(default_factory=set)
    renew: bool = False


class Link:
    """One worker, from its start to its loss. Every request after the loss raises the same `WorkerLost`."""

    def __init__(self, process: Process, policy: Policy) -> None:
        self.policy = policy
        self.lost: WorkerLost | None = None
        self.objects: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._process = process
        self._numbers = itertools.count(1)
        self._free: list[int] = []
        self._drop: list[int] = []

    def new_number(self) -> int:
        """A number for a request, under which the worker keeps its graph."""
        return next(self._numbers)

    def free(self, evaluation: int) -> None:
        """Let the worker forget a graph, with the next request."""
        self._free.append(evaluation)

    def adopt(self, handle: int, stand_in: Any) -> None:
        """Remember what stands for an object of the worker's; when it goes, the worker may forget its own."""
        self.objects[handle] = stand_in
        weakref.finalize(stand_in, self._drop.append, handle).atexit = False

    def request(
        self, label: str, body: dict[str, Any], tensors: list[Tensor], seconds: float | None = None
    ) -> tuple[dict[str, Any], list[Tensor]]:
        """One exchange: the reply (with "ok" or "error") and its tensors. `label` names what is called."""
        if self.lost is not None:
            raise self.lost
        if self.policy.timeouts[label] >= _TRIES:
            raise WorkerLost("timeout", f"`{label}` did not finish in time in {_TRIES} laws, and was not tried again.")
        if time.monotonic() > self.policy.ends:
            self.lose(f"used up the {self.policy.exercise_seconds:g} s that one exercise may take", "timeout")
        number = body.setdefault("id", self.new_number())
        if self._free:
            body["free"], self._free[:] = self._free[:], []
        if self._drop:
            body["drop"], self._drop[:] = self._drop[:], []
        seconds = self.policy.call_seconds if seconds is None else seconds
        clock = frames.Clock(seconds, self._process.cpu_seconds)
        try:
            frames.send(self._process.sock, body, tensors, clock)
            reply, received = frames.receive(self._process.sock, frames.FROM_WORKER, clock)
        except frames.Late:
            self._too_late(label, clock)
        except frames.PeerClosed:
            self._end()
        except frames.ProtocolError as error:
            self.reject(error)
        if type(reply) is not dict or reply.get("id") != number:
            self.reject(frames.ProtocolError("an answer to something else"))
        if is_memory_failure(reply.get("error")):
            self.lose(f"called `{label}`, which needed more memory than it may use", "out_of_memory")
        return reply, received

    def result(self, reply: dict[str, Any]) -> dict[str, Any]:
        """The "ok" part of a reply; raises the student's exception if there is none."""
        if "error" in reply:
            raise student_error(reply["error"])
        if type(reply.get("ok")) is not dict:
            self.reject(frames.ProtocolError("an answer without a result"))
        result: dict[str, Any] = reply["ok"]
        return result

    def reject(self, error: frames.ProtocolError) -> NoReturn:
        """End a worker that talks nonsense."""
        self.lose(f"gave an answer that the grader cannot take ({error})")

    def lose(self, why: str, status: Status = "error") -> NoReturn:
        """Stop the worker; `why` ends the sentence "The program ..."."""
        self._process.kill(why, status)
        self._end()

    def end(self, lost: WorkerLost) -> NoReturn:
        """Stop a worker that is of no use, for a reason that is not its end."""
        self._process.kill("was no longer needed")
        self.lost = lost
        raise lost

    def close(self) -> None:
        """Let go of the worker, which ends it."""
        self._process.close()

    def _too_late(self, label: str, clock: frames.Clock) -> NoReturn:
        self.policy.timeouts[label] += 1
        if clock.cpu_used() >= clock.budget:
            self.lose(f"computed for more than {clock.budget:g} s on a call of `{label}`", "timeout")
        waited = clock.budget * clock.stretch
        self.lose(f"did not answer a call of `{label}` within {waited:g} s", "timeout")

    def _end(self) -> NoReturn:
        self.lost = WorkerLost(*self._process.describe_exit())
        raise self.lost
