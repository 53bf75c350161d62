"""The judge's handles on the zygote and on the workers that it forks (see `grader.worker.zygote`)."""

import contextlib
import dataclasses
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from grader.exit_status import Unusable
from grader.judge.limits import MEGABYTE, Limits
from grader.judge.output import OutputDrain
from grader.worker.isolation import Level, linux

ExitStatus = Literal["error", "timeout", "out_of_memory"]

_COURSE = Path(__file__).resolve().parents[2]
_COURSE_FOLDERS = ("exercises", "solutions", "grader")
_SOCKET_BUFFER = 4 * MEGABYTE
_LONGEST_STATUS = 1 << 13
_START_SECONDS = 120.0
_LAST_BREATH_SECONDS = 2.0  # giving back gigabytes of memory takes its time
OUR_FAULT = "The grader "
"""How a description begins of an end that the submission had no part in."""
KILLED_BY_SYSTEM = "The program was killed by the system, most likely because memory ran out."
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    # Threads of torch's libraries would not survive the fork, and a child would wait for them for ever.
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # Asking torch whether there is a GPU must not initialise CUDA, which could not be forked afterwards.
    "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
    # Importing torch's compiler makes this folder, even if nothing is compiled: one that exists is left alone.
    "TORCHINDUCTOR_CACHE_DIR": "/tmp",
}


class IsolationUnavailable(Unusable):
    """This machine does not offer the isolation that was asked for, or none at all."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        self.reasons = reasons
        told = "; ".join(f"{level}: {reason}" for level, reason in reasons.items())
        super().__init__(f"No isolation for the students' code on this machine. {told}")


class ZygoteLost(Unusable):
    """The zygote has ended: nothing can be graded any more."""


class Zygote:
    """The process that forks workers. One serves all judges forked from the process that started it.

    Start it from the main thread: it is killed, with all its workers, when the thread that started it ends.
    `level` None takes the strongest isolation there is; "none" is used only when asked for. `hidden` are
    folders that no worker may see, even if they lie inside Python's own. Without `wait` it starts while its owner
    does something else, who calls `wait_until_ready` before anything else.
    """

    def __init__(
        self,
        level: Level | None = None,
        *,
        hidden: Iterable[Path] = (),
        serve: str = "grader.worker.serve:serve",
        wait: bool = True,
    ) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._owner = os.getpid()
        config = {
            "level": level,
            "hidden": [str(path) for path in (*_course_folders(), *hidden)],
            "serve": serve,
        }
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-u",
                    "-m",
                    "grader.worker.zygote",
                    str(theirs.fileno()),
                ],
                cwd=_COURSE,
                env=_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the grader, which then ends the zygote
                preexec_fn=partial(linux.die_with, self._owner),  # already while it loads torch
            )
        self.send(config)
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until it has loaded torch and tried the isolation; `IsolationUnavailable` if there is none."""
        try:
            self.level, self.reasons, self.start_seconds = self._first_message()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The zygote's process id."""
        return self._process.pid

    def _first_message(self) -> tuple[Level, Mapping[Level, str], float]:
        self._control.settimeout(_START_SECONDS)
        data = self._control.recv(_LONGEST_STATUS)
        self._control.settimeout(None)
        if not data:
            raise ZygoteLost("the process that forks the workers ended while it started (see above)")
        ready = json.loads(data)
        if ready["level"] is None:
            raise IsolationUnavailable(ready["reasons"])
        return ready["level"], ready["reasons"], ready["seconds"]

    def spawn(self, limits: Limits | None = None, *, device: Literal["cpu", "cuda"] = "cpu") -> "WorkerProcess":
        """Fork a worker. It is not waited for: the first answer over its socket tells that it is up.

        With "cuda" the worker may open the GPU and initialise CUDA itself; its memory is then not limited,
        and its system call filter is wider.
        """
        return WorkerProcess(self, limits or Limits(), device)

    def send(self, message: Mapping[str, Any], descriptors: Iterable[int] = ()) -> None:
        """Send one control message; atomic, so several judges may share the socket."""
        try:
            socket.send_fds(self._control, [json.dumps(message).encode()], list(descriptors))
        except OSError as error:
            raise ZygoteLost("the process that forks the workers has ended") from error

    def check(self) -> None:
        """`ZygoteLost` if it has ended: what was reported since then is not the students' doing."""
        if self._process.poll() is not None:
            raise ZygoteLost("the process that forks the workers has ended; what was finished before is kept")

    def close(self) -> None:
        """End the zygote and all workers, if this process started it; else only let go of it."""
        if os.getpid() == self._owner and self._process.poll() is None:
            with contextlib.suppress(ZygoteLost):
                self.send({"do": "quit"})
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._control.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _course_folders() -> list[Path]:
    """The whole checkout; only the course's packages where it was installed among others."""
    if (_COURSE / "pyproject.toml").exists():
        return [_COURSE]
    return [_COURSE / name for name in _COURSE_FOLDERS]


@dataclasses.dataclass(frozen=True)
class Exit:
    """How a worker ended, from the kernel and the zygote; nothing of it is the worker's own word."""

    status: int
    cpu: float
    maxrss: int
    why: str  # "wall", "asked", "abandoned", "quit" if the zygote killed it
    failure: str | None  # why it did not get into its sandbox

    @property
    def was_killed(self) -> bool:
        """Whether by SIGKILL: from the zygote, or from the kernel at a limit."""
        return os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) == signal.SIGKILL


class WorkerProcess:
    """One worker. Talk to it over `sock`; everything that comes back is to be distrusted."""

    def __init__(self, zygote: Zygote, limits: Limits, device: str) -> None:
        self._zygote, self.limits = zygote, limits
        self.id = secrets.token_hex(8)
        self._pidfd: int | None = None
        self._exit: Exit | None = None
        self._lost: str = ""
        self._killed: tuple[ExitStatus, str] | None = None
        self.sock, connection = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        for end in (self.sock, connection):
            for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                end.setsockopt(socket.SOL_SOCKET, option, _SOCKET_BUFFER)
        self._status, status = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reading, writing = os.pipe()
        request = {
            "do": "spawn",
            "id": self.id,
            "device": device,
            "cores": sorted(os.sched_getaffinity(0)),  # its judge's
            "limits": {name: value for name, value in dataclasses.asdict(limits).items() if name != "output_bytes"},
        }
        try:
            zygote.send(request, [connection.fileno(), writing, status.fileno()])
        finally:
            connection.close()
            status.close()
            os.close(writing)
        self._output = OutputDrain(reading, limits.output_bytes, self._too_much_output)

    def _too_much_output(self) -> None:
        self.kill(f"printed more than {self.limits.output_bytes // MEGABYTE} MB of output")

    def cpu_seconds(self) -> float:
        """CPU time used so far, by the kernel's clock of that process, or in all if it has ended."""
        pid = self.pid()
        if pid is not None:
            with contextlib.suppress(OSError):
                return time.clock_gettime(~pid << 3 | 2)  # the clock id of another process
        ended = self.wait()
        return ended.cpu if ended else 0.0

    def pid(self) -> int | None:
        """Its process id as seen from here; None once it has ended."""
        if self._pidfd is None and self._exit is None and not self._lost:
            self._read_status(_START_SECONDS)
        return _pid_of(self._pidfd) if self._pidfd is not None else None

    def kill(self, why: str, status: ExitStatus = "error") -> None:
        """Stop it with all its threads. `why` ends the sentence "The program ..."; the first reason stays."""
        self._killed = self._killed or (status, why)
        with contextlib.suppress(ZygoteLost):
            self._zygote.send({"do": "kill", "id": self.id})

    def wait(self, timeout: float = 10.0) -> Exit | None:
        """Wait for its end; None if that does not come in time, or the zygote took it along."""
        end = time.monotonic() + timeout
        while self._exit is None and not self._lost and (left := end - time.monotonic()) > 0:
            self._read_status(left)
        return self._exit

    def describe_exit(self) -> tuple[ExitStatus, str]:
        """What became of it, as a status and a sentence for the student and the grader.

        To be asked once nothing more is heard of it; a worker that lives on by itself then is stopped.
        """
        ended = self.wait(_LAST_BREATH_SECONDS)
        if ended is None and not self._lost:
            self.kill("closed its connection to the grader")
            ended = self.wait()
        if self._killed is not None and (ended is None or (ended.was_killed and ended.why == "asked")):
            status, why = self._killed
            limit = f" ({self.limits.memory_bytes // MEGABYTE} MB)" if status == "out_of_memory" else ""
            return status, f"The program {why}{limit} and was stopped."
        if ended is None:
            return "error", f"{OUR_FAULT}lost the program: {self._lost or 'it did not end'}."
        return _describe(ended, self.limits)

    def output(self) -> str:
        """What it printed: the first and the last part."""
        if self._exit is not None:
            self._output.join(2.0)
        return self._output.text()

    def close(self) -> None:
        """Stop it if it still runs, and let go of everything."""
        if self._exit is None and not self._lost:
            self.kill("was no longer needed")
            self.wait()
        self._output.join(2.0)
        self.sock.close()
        self._status.close()
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read_status(self, timeout: float) -> None:
        """Take in one message of the zygote about this worker."""
        self._status.settimeout(timeout)
        try:
            data, descriptors, _, _ = socket.recv_fds(self._status, _LONGEST_STATUS, 1)
        except TimeoutError:
            return
        message = json.loads(data) if data else {"refused": "the process that forks the workers has ended"}
        if "pid" in message:
            self._pidfd = descriptors[0]
        elif "refused" in message:
            self._lost = message["refused"]
        else:
            self._exit = Exit(**message)


def _pid_of(pidfd: int) -> int | None:
    """The pid of a living process as this process sees it; None once it was reaped."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text(encoding="ascii").splitlines():
        if line.startswith("Pid:"):
            pid = int(line.removeprefix("Pid:"))
            return pid if pid > 0 else None
    return None


def _describe(ended: Exit, limits: Limits) -> tuple[ExitStatus, str]:
    if not ended.was_killed:
        if ended.failure is not None:
            return "error", f"{OUR_FAULT}could not set up its sandbox: {ended.failure}"
        if os.WIFSIGNALED(ended.status):
            name = signal.Signals(os.WTERMSIG(ended.status)).name
            return "error", f"The program crashed ({name})."
        if (code := os.WEXITSTATUS(ended.status)) == signal.SIGABRT:
            return "error", "The program crashed (SIGABRT)."  # see `linux.exit_on_abort`
        return "error", f"The program exited by itself with code {code}."
    if ended.why == "wall":
        return (
            "timeout",
            f"The program was still running after {limits.wall_seconds:g} seconds and was stopped.",
        )
    if ended.why:
        return "error", f"{OUR_FAULT}ended and stopped the program."
    # The kernel's limit counts clock ticks, which run ahead of the exact time where the machine is shared.
    if ended.cpu > limits.cpu_seconds / 2:
        return (
            "timeout",
            f"The program used up its {limits.cpu_seconds:g} seconds of CPU time and was stopped.",
        )
    return "out_of_memory", KILLED_BY_SYSTEM
