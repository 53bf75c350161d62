"""Imports torch once, then forks a sandboxed worker for every request. Holds no tests and no submission.

Run as `python -m grader.worker.zygote CONTROL_FD` by `grader.judge.workers.Zygote`. The control socket
(SOCK_SEQPACKET) is shared by all judges; every message is one JSON object:

    to the zygote     first {"level", "hidden", "serve"}: not as an argument, which workers could read
                      {"do": "spawn", "id", "device", "cores", "limits"} with three descriptors: the worker's
                      socket, the pipe for its output, the socket for its status
                      {"do": "kill", "id"}
                      {"do": "quit"}
    from the zygote   once, {"level", "reasons", "seconds"}

and on a worker's status socket: first {"pid"} with a pidfd, in the end its exit (see `_Worker.report`), or
only {"refused": why}. A closed status socket tells that the judge has gone, and ends the worker.

The environment must hold torch's libraries to one thread before they are loaded.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import torch

from grader.worker import isolation
from grader.worker.isolation import Level, WorkerLimits, linux
from grader.worker.isolation.view import View, python_view

_LONGEST_MESSAGE = 1 << 16
_COURSE_PACKAGES = ("grader", "exercises", "solutions", "tests")

Serve = Callable[[socket.socket], None]


def main() -> None:
    """Warm up, say what isolation there is, serve."""
    began = time.monotonic()
    control = socket.socket(fileno=int(sys.argv[1]))
    config: dict[str, Any] = json.loads(control.recv(_LONGEST_MESSAGE))
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)

    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    _warm_up()
    module, _, function = config["serve"].partition(":")
    serve: Serve = getattr(importlib.import_module(module), function)
    hidden: list[str] = config["hidden"]
    _forget_the_course({Path(folder) for folder in hidden})
    level, reasons = _choose_level(config["level"], python_view(hidden))
    threads = len(list(Path("/proc/self/task").iterdir()))
    if threads != 1:
        sys.exit(f"the zygote has {threads} threads and cannot fork safely")
    gc.collect()
    gc.freeze()
    ready = {"level": level, "reasons": reasons, "seconds": time.monotonic() - began}
    control.send(json.dumps(ready).encode())
    if level is not None:
        _Zygote(control, level, hidden, serve).run()


def _warm_up() -> None:
    """Use once what costs at its first use: the optimizers alone import `torch._dynamo`, for a second."""
    import torch._dynamo
    import torch.utils.data
    from torch import nn
    from torch.nn import functional as F

    model = nn.Transformer(8, 2, 1, 1, 8, batch_first=True)
    optimizer = torch.optim.Adam(model.parameters())
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda _: 1.0)
    x = torch.randn(1, 3, 8)
    F.cross_entropy(model(x, x).flatten(0, 1), torch.zeros(3, dtype=torch.long)).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    optimizer.zero_grad()
    F.scaled_dot_product_attention(x, x, x)
    torch.einsum("bij,bkj->bik", x, x)
    nn.Linear(8, 8).to("meta")(x.to("meta")).softmax(-1).masked_fill(x.to("meta") > 0, 0.0)
    repr(x)
    list(torch.utils.data.DataLoader(torch.arange(4), batch_size=2))  # type: ignore[arg-type]


def _choose_level(wanted: Level | None, view: View) -> tuple[Level | None, dict[Level, str]]:
    """The wanted level, or else the strongest; None where there is none. "none" is only given on request."""
    if wanted is not None:
        reason = isolation.why_not(wanted, view)
        return (wanted, {}) if reason is None else (None, {wanted: reason})
    found = isolation.probe(view)
    return (found.level if found.level != "none" else None), dict(found.reasons)


def _forget_the_course(folders: set[Path]) -> None:
    """Leave no way to import the course: not from its folder, nor by an editable installation's finder."""

    def leads_there(entry: str) -> bool:
        return entry.startswith("__editable__") or Path(entry or ".").resolve() in folders

    sys.path[:] = [entry for entry in sys.path if not leads_there(entry)]
    sys.meta_path[:] = [finder for finder in sys.meta_path if not _is_editable(finder)]
    sys.path_hooks[:] = [hook for hook in sys.path_hooks if not _is_editable(hook)]
    sys.path_importer_cache.clear()
    for name in list(sys.modules):
        if name.partition(".")[0] in _COURSE_PACKAGES or name.startswith("__editable__"):
            del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")


def _is_editable(hook: object) -> bool:
    """Whether an import hook was put there by setuptools for an editable installation."""
    owner = getattr(hook, "__self__", hook)
    return str(getattr(owner, "__module__", "")).startswith("__editable__")


@dataclass
class _Worker:
    """A living worker as the zygote knows it."""

    id: str
    pid: int
    pidfd: int
    status: socket.socket
    link: socket.socket
    deadline: float
    level: Level
    why_killed: str = ""

    def kill(self, why: str) -> None:
        """End it and all it started. The reason that came first is reported."""
        self.why_killed = self.why_killed or why
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)  # as process 1 of its namespace, it takes all others along
        if self.level != "namespaces":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def report(self) -> None:
        """Reap it and tell the judge how it ended."""
        self.kill("")  # a zombie keeps its group id taken, so no stranger can be hit
        _, status, usage = os.wait4(self.pid, 0)
        self.link.setblocking(False)
        _tell(
            self.status,
            {
                "status": status,
                "cpu": usage.ru_utime + usage.ru_stime,
                "maxrss": usage.ru_maxrss,
                "why": self.why_killed,
                "failure": isolation.failure(self.link),
            },
        )
        self.status.close()
        self.link.close()
        os.close(self.pidfd)


def _tell(status: socket.socket, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
    """Send to a judge, which may have gone."""
    with contextlib.suppress(OSError):
        socket.send_fds(status, [json.dumps(message).encode()], descriptors)


class _Zygote:
    """The loop: requests, ends of workers, judges that went, wall clocks that ran out."""

    def __init__(self, control: socket.socket, level: Level, hidden: list[str], serve: Serve) -> None:
        self.control, self.level, self.serve = control, level, serve
        self.views = {"cpu": python_view(hidden), "cuda": python_view(hidden, cuda=True)}
        self.workers: dict[int, _Worker] = {}  # by pid
        self.poll = select.poll()
        self.poll.register(control, select.POLLIN)

    def run(self) -> NoReturn:
        while True:
            ready = dict(self.poll.poll(self._milliseconds_left()))
            self._reap()
            for worker in self.workers.values():
                if worker.status.fileno() in ready:
                    self._stop_watching(worker.status)
                    worker.kill("abandoned")
                elif time.monotonic() > worker.deadline:
                    worker.kill("wall")
            if self.control.fileno() in ready:
                self._serve_request()

    def _milliseconds_left(self) -> float | None:
        """Until the next wall clock runs out. A worker that was killed has no deadline to wait for."""
        deadlines = [worker.deadline for worker in self.workers.values() if not worker.why_killed]
        return max(0.0, min(deadlines) - time.monotonic()) * 1000 + 1 if deadlines else None

    def _serve_request(self) -> None:
        data, descriptors, _, _ = socket.recv_fds(self.control, _LONGEST_MESSAGE, 8)
        request: dict[str, Any] = json.loads(data) if data else {"do": "quit"}
        if request["do"] == "spawn":
            self._spawn(request, *descriptors)
        elif request["do"] == "kill":
            for worker in self.workers.values():
                if worker.id == request["id"]:
                    worker.kill("asked")
        else:
            self._quit()

    def _spawn(self, request: dict[str, Any], connection: int, output: int, status_fd: int) -> None:
        status = socket.socket(fileno=status_fd)
        limit = WorkerLimits(**request["limits"])
        try:
            pid, link = isolation.fork(self.level)
        except OSError as error:
            _tell(status, {"refused": str(error)})
            status.close()
        else:
            if pid == 0:
                os.sched_setaffinity(0, request["cores"])
                view = self.views[request["device"]]
                isolation.enter(self.level, view, limit, link=link, output=output, keep=[connection])
                self._become_worker(connection)
            pidfd = os.pidfd_open(pid)
            deadline = time.monotonic() + limit.wall_seconds
            worker = _Worker(request["id"], pid, pidfd, status, link, deadline, self.level)
            self.workers[pid] = worker
            self.poll.register(pidfd, select.POLLIN)
            self.poll.register(status, 0)  # only its closing
            _tell(status, {"pid": pid}, (pidfd,))
        finally:
            os.close(connection)
            os.close(output)

    def _become_worker(self, connection: int) -> NoReturn:
        try:
            self.serve(socket.socket(fileno=connection))
        except BaseException:
            traceback.print_exc()
        os._exit(70)  # serve ends the process itself; coming back is a fault

    def _reap(self) -> None:
        """Report every worker that has ended; bury whatever else was left to this process."""
        while self.workers:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return
            worker = self.workers.pop(ended.si_pid, None)
            if worker is None:
                os.waitpid(ended.si_pid, 0)
                continue
            self._stop_watching(worker.pidfd)
            self._stop_watching(worker.status)
            worker.report()

    def _stop_watching(self, watched: int | socket.socket) -> None:
        with contextlib.suppress(KeyError):
            self.poll.unregister(watched)

    def _quit(self) -> NoReturn:
        for worker in self.workers.values():
            worker.kill("quit")
        for worker in self.workers.values():
            worker.report()
        os._exit(0)


if __name__ == "__main__":
    main()
