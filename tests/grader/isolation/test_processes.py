"""Other processes and the network, and what a worker inherits, on every level."""

import os
import sys

import pytest

from tests.grader.isolation.asking import pid_of, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are isolated on Linux only")

if sys.platform == "linux":
    from grader.judge.workers import WorkerProcess, Zygote


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


@pytest.mark.parametrize("action", ["os.kill(pid, 0)", "os.kill(pid, 9)", "os.killpg(pid, 9)", "os.kill(-1, 9)"])
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
    assert run(worker, "import resource as r; r.setrlimit(r.RLIMIT_AS, (-1, -1)); result = 'set'") == "ValueError"


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
