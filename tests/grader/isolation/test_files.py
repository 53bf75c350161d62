"""What of the host's files student code can read or change, on every level that this machine offers."""

import sys
from pathlib import Path

import pytest

from grader.course import ROOT
from tests.grader.isolation.asking import HIDDEN, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are isolated on Linux only")

if sys.platform == "linux":
    from grader.judge.workers import WorkerProcess, Zygote


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "/etc/hostname", "/root/.bashrc", str(ROOT / "pyproject.toml"), str(Path(__file__))],
)
def test_no_file_outside_the_view_can_be_read(worker: "WorkerProcess", path: str) -> None:
    assert run(worker, f"result = open({path!r}).read()") in ("FileNotFoundError", "PermissionError")


@pytest.mark.parametrize("folder", [ROOT, ROOT / "solutions", ROOT / "tests", Path("/home")])
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


def test_chance_can_be_had_and_nothing_else_of_the_devices(worker: "WorkerProcess") -> None:
    """torch.seed() reads /dev/urandom: who draws without a generator may use it."""
    assert run(worker, "import torch; result = torch.Generator().seed() != torch.Generator().seed()") is True
    assert run(worker, "result = len(open('/dev/urandom', 'rb').read(3))") == 3
    assert run(worker, "result = open('/dev/null', 'w').write('x')") == 1
    for change in ("os.utime('/dev/null')", "os.chmod('/dev/null', 0)"):
        assert str(run(worker, f"import os; {change}; result = 'changed'")).endswith("Error")
    assert str(run(worker, "result = len(open('/dev/mem', 'rb').read(1))")).endswith("Error")


def test_nothing_is_read_from_a_course_among_pythons_packages(worker: "WorkerProcess") -> None:
    for code in ("import hypothesis.core", f"open({str(HIDDEN / '__init__.py')!r})"):
        assert run(worker, code) in ("ModuleNotFoundError", "FileNotFoundError", "PermissionError")


def test_torch_and_the_library_can_be_imported(worker: "WorkerProcess") -> None:
    code = "import torch.distributions, sqlite3, torch; result = (torch.eye(2) @ torch.ones(2)).tolist()"
    assert run(worker, code) == [1.0, 1.0]


@pytest.mark.parametrize(
    "folder", ["/", "/tmp", "/dev/shm", "/var/tmp", "/usr/lib", sys.prefix, str(HIDDEN), str(ROOT), "/proc"]
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
