"""What student code can do in a worker, and what becomes of it, on every level that this machine offers."""

import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are isolated on Linux only")
if sys.platform == "linux":
    from grader.judge.limits import MEGABYTE, Limits
    from grader.judge.workers import IsolationUnavailable, WorkerProcess, Zygote
    from grader.worker import isolation
    from grader.worker.isolation import syscalls
    from grader.worker.isolation.view import View, python_view

COURSE = Path(__file__).resolve().parents[2]
SERVE = "tests.grader.attack_server:serve"
# A package that no worker needs plays the course that was installed among Python's own packages.
HIDDEN = Path(hypothesis.__file__).parent
SLEEP = "import time; time.sleep(1000)"
SPIN = "while True: pass"


class Lost(Exception):
    """The worker ended instead of answering."""


@pytest.fixture(scope="module", params=["namespaces", "landlock"])
def zygote(request: pytest.FixtureRequest) -> Iterator["Zygote"]:
    try:
        zygote = Zygote(request.param, hidden=[HIDDEN], serve=SERVE)
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    with zygote:
        yield zygote


@pytest.fixture
def worker(zygote: "Zygote") -> Iterator["WorkerProcess"]:
    with zygote.spawn() as worker:
        yield worker


def send(worker: "WorkerProcess", code: str) -> None:
    worker.sock.sendall(json.dumps(code).encode() + b"\n")


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


# --- files


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "/etc/hostname", "/root/.bashrc", str(COURSE / "pyproject.toml"), str(Path(__file__))],
)
def test_no_file_outside_the_view_can_be_read(worker: "WorkerProcess", path: str) -> None:
    assert run(worker, f"result = open({path!r}).read()") in ("FileNotFoundError", "PermissionError")


@pytest.mark.parametrize("folder", [COURSE, COURSE / "solutions", COURSE / "tests", Path("/home")])
def test_no_folder_outside_the_view_can_be_listed(worker: "WorkerProcess", folder: Path) -> None:
    answer = run(worker, f"import os; result = os.listdir({str(folder)!r})")
    prefix = Path(sys.prefix)
    # A virtual environment in the checkout is seen, and nothing beside it.
    seen = [prefix.relative_to(folder).parts[0]] if folder in prefix.parents else []
    assert answer in ("FileNotFoundError", "PermissionError", seen)


@pytest.mark.parametrize("name", ["solutions", "exercises", "grader", "grader.judge", "tests"])
def test_the_course_cannot_be_imported(worker: "WorkerProcess", name: str) -> None:
    code = f"import {name}; result = {name}.__file__ or list({name}.__path__)"
    assert run(worker, code) == "ModuleNotFoundError"


def test_nothing_is_read_from_a_course_among_pythons_packages(worker: "WorkerProcess") -> None:
    for code in ("import hypothesis.core", f"open({str(HIDDEN / '__init__.py')!r})"):
        assert run(worker, code) in ("ModuleNotFoundError", "FileNotFoundError", "PermissionError")


def test_torch_and_the_library_can_be_imported(worker: "WorkerProcess") -> None:
    code = "import torch.distributions, sqlite3, torch; result = (torch.eye(2) @ torch.ones(2)).tolist()"
    assert run(worker, code) == [1.0, 1.0]


@pytest.mark.parametrize(
    "folder", ["/", "/tmp", "/dev/shm", "/var/tmp", "/usr/lib", sys.prefix, str(HIDDEN), str(COURSE), "/proc"]
)
def test_nothing_can_be_written_outside_its_own_folder(worker: "WorkerProcess", folder: str) -> None:
    code = f"open({folder!r} + '/written-by-a-submission', 'w').write('x'); result = 'written'"
    assert str(run(worker, code)).endswith("Error")
    assert not Path(folder, "written-by-a-submission").exists()


@pytest.mark.parametrize("change", ["os.chmod(p, 0o777)", "os.utime(p)", "os.truncate(p, 0)", "os.unlink(p)"])
def test_no_file_can_be_changed(worker: "WorkerProcess", change: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("whole", encoding="utf-8")
    before = victim.stat()
    answer = run(worker, f"import os; p = {str(victim)!r}; {change}; result = 'changed'")
    assert answer in ("FileNotFoundError", "PermissionError")
    after = victim.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_size) == (before.st_mode, before.st_mtime_ns, 5)


def test_its_own_folder_is_small_and_runs_no_programs(worker: "WorkerProcess", zygote: "Zygote") -> None:
    if zygote.level != "namespaces":
        assert run(worker, "open('x', 'w'); result = 1") == "PermissionError"
        return
    assert run(worker, "open('x', 'w').write('kept'); result = open('x').read()") == "kept"
    fill = "import os\nfor i in range(100): open(f'f{i}', 'wb').write(bytes(1 << 20))\nresult = 'filled'"
    assert run(worker, fill) == "OSError"
    map_as_code = (
        "import mmap; open('code', 'wb').write(bytes(4096)); f = open('code', 'rb');"
        "mmap.mmap(f.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC); result = 'mapped'"
    )
    run(worker, "import os\nfor i in range(100):\n    if os.path.exists(f'f{i}'): os.unlink(f'f{i}')")
    assert run(worker, map_as_code) == "PermissionError"


# --- other processes and the network


@pytest.mark.parametrize(
    "code",
    [
        "import os; result = os.fork()",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import subprocess; result = subprocess.run(['/bin/true']).returncode",
        "import multiprocessing as m; p = m.get_context('fork').Process(target=print); p.start()",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
        "import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)",
        "import socket; socket.socketpair()",
        "import socket; socket.create_connection(('127.0.0.1', 22), 1)",
        "import os; os.memfd_create('x')",
        "import os; os.unshare(0) if hasattr(os, 'unshare') else os.pidfd_open(1)",
        "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))",
        "import os; os.nice(-1)",
        "import os; os.chroot('/')",
        "import os; os.mkfifo('f')",
        "import os; os.symlink('/etc', 'l')",
    ],
)
def test_system_calls_that_no_exercise_needs_are_refused(worker: "WorkerProcess", code: str) -> None:
    assert run(worker, code) in ("PermissionError", "OSError")


def test_raw_system_calls_are_refused_too(worker: "WorkerProcess") -> None:
    # ptrace, process_vm_readv, io_uring_setup, bpf, and fork by its old number; -1 each
    code = (
        "import ctypes; c = ctypes.CDLL(None);"
        "result = [c.syscall(n, 0, 0, 0, 0, 0) for n in (101, 310, 425, 321, 57, 58)]"
    )
    if os.uname().machine == "x86_64":
        assert run(worker, code) == [-1] * 6


def test_a_fork_bomb_is_contained(worker: "WorkerProcess") -> None:
    code = (
        "import os\nresult = 0\nfor _ in range(1000):\n    try:\n        os.fork(); result += 1\n"
        "    except OSError: pass"
    )
    assert run(worker, code) == 0


@pytest.mark.parametrize(
    "action", ["os.kill(pid, 0)", "os.kill(pid, 9)", "os.killpg(pid, 9)", "os.kill(-1, 9)"]
)
def test_no_signal_reaches_another_process(worker: "WorkerProcess", action: str) -> None:
    for pid in (os.getpid(), os.getppid()):
        answer = run(worker, f"import os; pid = {pid}; {action}; result = 'sent'")
        assert answer in ("PermissionError", "ProcessLookupError")


def test_no_signal_reaches_the_parent_or_a_sibling(zygote: "Zygote", worker: "WorkerProcess") -> None:
    with zygote.spawn() as sibling:
        assert run(sibling, "result = 1") == 1
        for pid in (pid_of(sibling), "os.getppid()"):
            code = f"import os; os.kill({pid}, 9); result = 'sent'"
            assert run(worker, code) in ("PermissionError", "ProcessLookupError")
        assert run(sibling, "result = 2") == 2


def test_no_limit_of_another_process_can_be_changed(worker: "WorkerProcess") -> None:
    for pid in (f"{os.getpid()}", "os.getppid() or 2"):
        code = f"import os, resource as r; r.prlimit({pid}, r.RLIMIT_CPU, (1, 1)); result = 'set'"
        assert run(worker, code) in ("PermissionError", "ProcessLookupError")
    assert (
        run(worker, "import resource as r; r.setrlimit(r.RLIMIT_AS, (-1, -1)); result = 'set'")
        == "ValueError"
    )


def test_no_memory_of_another_process_can_be_read(zygote: "Zygote", worker: "WorkerProcess") -> None:
    with zygote.spawn() as sibling:
        for pid in (os.getpid(), pid_of(sibling), "self", "1"):
            answer = run(worker, f"result = open('/proc/{pid}/mem', 'rb').read(1)")
            assert answer in ("PermissionError", "FileNotFoundError")
            if pid != "self":
                answer = run(worker, f"result = open('/proc/{pid}/environ', 'rb').read().decode()")
                assert "PATH" in answer or answer in ("PermissionError", "FileNotFoundError")


def test_only_itself_is_among_the_processes(zygote: "Zygote", worker: "WorkerProcess") -> None:
    answer = run(worker, "import os; result = [p for p in os.listdir('/proc') if p.isdigit()]")
    assert answer in (["1"], []) if zygote.level == "namespaces" else answer == "PermissionError"


# --- what it inherits


def test_the_environment_is_clean(zygote: "Zygote", worker: "WorkerProcess") -> None:
    assert set(run(worker, "import os; result = sorted(os.environ)")) <= {
        "HOME", "LANG", "PATH", "TMPDIR", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS",
    }  # fmt: skip
    if zygote.level == "namespaces":
        assert "PYTEST" not in run(worker, "result = open('/proc/self/environ').read()")


def test_no_descriptor_is_inherited(worker: "WorkerProcess") -> None:
    code = (
        "import os, stat; result = []\nfor fd in range(64):\n    try: mode = os.fstat(fd).st_mode\n"
        "    except OSError: continue\n    result.append([fd, stat.S_IFMT(mode)])"
    )
    kinds = [kind for _, kind in run(worker, code)]
    # /dev/null, the output pipe twice, the connection
    assert sorted(kinds) == sorted([0o020000, 0o010000, 0o010000, 0o140000])


def test_it_runs_without_privileges(zygote: "Zygote", worker: "WorkerProcess") -> None:
    assert run(worker, "import os; os.setuid(0) if os.getuid() else os.chown('/', 1, 1)") == "PermissionError"
    if zygote.level == "namespaces":
        assert run(worker, "import os; result = [os.getuid(), os.getgid(), os.getgroups()]") != [0, 0, [0]]


# --- limits


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


# --- its end


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import os; os._exit(3)", "exited by itself with code 3"),
        ("import ctypes; ctypes.string_at(0)", "crashed (SIGSEGV)"),
        ("import os; os.abort()", "crashed (SIG"),
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


def test_a_judge_that_dies_takes_its_workers_along_and_no_others(
    zygote: "Zygote", worker: "WorkerProcess"
) -> None:
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
        [sys.executable, script], cwd=COURSE, env={**os.environ, "PYTHONPATH": str(COURSE)},
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


# --- choosing a level


def test_without_a_filter_library_there_is_no_isolation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syscalls, "missing", lambda: "the library libseccomp is not installed")
    found = isolation.probe(python_view())
    assert found.level == "none"
    assert found.reasons == dict.fromkeys(
        ["namespaces", "landlock"], "the library libseccomp is not installed"
    )


def test_a_view_that_the_workers_user_cannot_read_is_told(tmp_path: Path) -> None:
    if os.getuid() != 0 or isolation.why_not("namespaces", python_view()) is not None:
        pytest.skip("only where workers are given users of their own")
    tmp_path.chmod(0o700)
    view = View((*python_view().directories, str(tmp_path)), files=(), devices=("/dev/null",), hidden=())
    assert f"{tmp_path} is not readable for all users" in str(isolation.why_not("namespaces", view))


def test_a_virtual_environment_inside_the_course_is_shown_and_nothing_else_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment = tmp_path / "course" / ".venv"
    environment.mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(environment))
    view = python_view([str(tmp_path / "course")])
    shown = [path for path in view.directories if Path(path).is_relative_to(tmp_path)]
    assert shown == [str(environment)]
    assert str(tmp_path / "course") in view.hidden


@pytest.mark.parametrize("level", ["namespaces", "landlock"])
def test_what_is_hidden_inside_the_view_may_contain_something_shown(
    level: "isolation.Level", tmp_path: Path
) -> None:
    course, environment = tmp_path / "course", tmp_path / "course" / ".venv"
    environment.mkdir(parents=True)
    for folder in (tmp_path, course, environment):
        folder.chmod(0o755)  # a worker of root's is another user
        (folder / "file").write_text(folder.name, encoding="utf-8")
    shown = (*python_view().directories, str(tmp_path), str(environment))
    view = View(shown, files=(), devices=("/dev/null",), hidden=(str(course),))
    if (reason := isolation.why_not(level, view)) is not None:
        pytest.skip(reason)
    reading, writing = os.pipe()
    pid, link = isolation.fork(level)
    if pid == 0:
        try:
            isolation.enter(level, view, isolation.WorkerLimits(), link=link, output=writing, keep=())
            for folder in (tmp_path, course, environment):
                try:
                    text = (folder / "file").read_text(encoding="utf-8")
                except OSError:
                    text = "nothing"
                os.write(1, f"{text} ".encode())
        finally:
            os._exit(0)
    os.close(writing)
    assert isolation.failure(link) is None
    with os.fdopen(reading, encoding="utf-8") as pipe:
        assert pipe.read().split() == [tmp_path.name, "nothing", ".venv"]
    link.close()
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def test_no_isolation_only_on_request() -> None:
    with Zygote("none", serve=SERVE) as zygote, zygote.spawn() as worker:
        assert zygote.level == "none"
        assert run(worker, "result = 1") == 1
        pid = run(worker, "import os; result = os.fork()\nif result == 0: __import__('time').sleep(1000)")
        worker.close()
        with contextlib.suppress(ChildProcessError):
            assert gone_within(5, pid)
