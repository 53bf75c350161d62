"""Putting a worker where student code can do no harm, by the strongest means this machine offers.

*namespaces*: files, process ids, network and users of its own, plus a system call filter and limits.
*landlock*: rights over files, network and other processes given up, plus the same filter and limits; for
machines that refuse user namespaces (many containers, some distributions).
*none*: a plain fork. Only on request, never for untrusted code.
"""

import contextlib
import os
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from grader.worker.isolation import landlock, limits, linux, namespaces, syscalls
from grader.worker.isolation.limits import WorkerLimits
from grader.worker.isolation.view import View

Level = Literal["namespaces", "landlock", "none"]
STRONGEST_FIRST: tuple[Level, ...] = ("namespaces", "landlock")

_KEPT_ENVIRONMENT = ("LANG", "PATH", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_READY = b"ready"
_LONGEST_REASON = 2000
_PATIENCE_SECONDS = 20.0


@dataclass(frozen=True)
class Probe:
    """The strongest level that works here ("none" where nothing does), and why the stronger ones do not."""

    level: Level
    reasons: Mapping[Level, str]


def probe(view: View) -> Probe:
    """Try the levels, strongest first, each with a process of its own. The caller must have one thread."""
    reasons: dict[Level, str] = {}
    for level in STRONGEST_FIRST:
        reason = why_not(level, view)
        if reason is None:
            return Probe(level, reasons)
        reasons[level] = reason
    return Probe("none", reasons)


def why_not(level: Level, view: View) -> str | None:
    """Why `level` is not to be had here, or None: found out by sending a process there."""
    if level == "none":
        return None
    if (reason := syscalls.missing()) is not None:
        return reason
    if level == "landlock" and (abi := linux.landlock_abi()) < landlock.NEEDED_ABI:
        return f"the kernel's Landlock has version {abi}; {landlock.NEEDED_ABI} is needed (Linux 6.12)"
    try:
        pid, link = fork(level)
    except OSError as error:
        return str(error)
    if pid == 0:
        _try_to_enter(level, view, link)
    with link:
        link.settimeout(_PATIENCE_SECONDS)
        reason = failure(link)
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return reason


def _try_to_enter(level: Level, view: View, link: socket.socket) -> None:
    try:
        enter(level, view, WorkerLimits(), link=link, output=os.open(os.devnull, os.O_WRONLY), keep=())
    finally:
        os._exit(0)


def fork(level: Level) -> tuple[int, socket.socket]:
    """Like `os.fork`: (pid, link) in the zygote, (0, link) in the worker, which calls `enter` with it.

    What `enter` sends over the link is for `failure` to read; the zygote holds its end as long as the worker
    lives. OSError in the zygote where the kernel refuses.
    """
    if level == "namespaces":
        return namespaces.fork()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    mine, other = (theirs, ours) if pid == 0 else (ours, theirs)
    other.close()
    return pid, mine


def failure(link: socket.socket) -> str | None:
    """Why a worker did not get into its sandbox, or None if it did."""
    try:
        answer = link.recv(_LONGEST_REASON)
    except (TimeoutError, BlockingIOError):
        return "it did not come up in time"
    except OSError as error:
        return str(error)
    return None if answer == _READY else answer.decode(errors="replace") or "it ended on the way"


def enter(
    level: Level, view: View, limit: WorkerLimits, *, link: socket.socket, output: int, keep: Iterable[int]
) -> None:
    """Called in the forked worker: leave everything behind but the descriptors in `keep`, for good.

    Standard output and error go to `output`. Returns inside the sandbox or does not return.
    """
    try:
        _renew(output, {*keep, link.fileno()})
        if level == "none":
            os.chdir("/")
            linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        else:
            _enter_sandbox(level, view, limit)
        link.send(_READY)
        link.close()
    except BaseException:
        with contextlib.suppress(OSError):
            link.send(traceback.format_exc()[-_LONGEST_REASON // 2 :].encode()[-_LONGEST_REASON:])
        os._exit(1)


def _renew(output: int, keep: set[int]) -> None:
    """A session, standard streams, descriptors and environment of its own."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, source in ((0, nothing), (1, output), (2, output)):
        os.dup2(source, descriptor)
    linux.close_all_except({0, 1, 2, *keep})
    kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    sys.argv = sys.orig_argv = ["submission"]
    tempfile.tempdir = None  # found anew when asked for


def _enter_sandbox(level: Level, view: View, limit: WorkerLimits) -> None:
    in_use = limits.address_space()
    threads = limit.threads
    if level == "namespaces":
        namespaces.enter_view(view, limit.work_bytes)
        os.environ["HOME"] = os.environ["TMPDIR"] = namespaces.WORK_DIRECTORY
    else:
        os.chdir("/")
        os.environ["HOME"] = "/"  # a library that asks for it must not fail: no list of users can be read here
        # Without a user namespace the kernel counts whatever the user runs anywhere on the machine.
        threads = limits.tasks_on_machine() + 16 * limit.threads
    limits.apply(limit, threads=threads, address_space_in_use=None if view.cuda else in_use)
    linux.drop_capability_bound()
    if level == "namespaces":
        namespaces.become_inner_user()
        linux.exit_on_abort()
    linux.drop_capabilities()
    # Only now, since a change of user or capabilities takes it back.
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    if level == "landlock":
        ruleset = landlock.create_ruleset(view)
        linux.landlock_restrict_self(ruleset)
        os.close(ruleset)
    syscalls.restrict(cuda=view.cuda)
    for directory in view.directories:
        if not os.access(directory, os.R_OK | os.X_OK):
            raise PermissionError(f"{directory} is not readable for all users, so not for a worker's user either")
