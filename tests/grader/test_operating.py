"""Faults of the machine and of people: what was finished is kept and valid, and nothing is left behind."""

import ast
import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from grader.cli import main
from grader.course import ROOT, SOLUTIONS
from grader.reports import folder as reports_folder
from grader.worker.isolation import linux

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading is isolated on Linux only")

EX2 = "ex2_attention.py"
STUDENTS = ("ada", "bo", "cy")
Found = TypeVar("Found")


@pytest.fixture(scope="module", autouse=True)
def _heir() -> Iterator[None]:
    """Whatever outlives its parent becomes a child of this process, and so is seen by `processes`."""
    OF_OTHER_TESTS.update(processes())
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    yield
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 0)


OF_OTHER_TESTS: set[int] = set()


def processes() -> dict[int, int]:
    """Run, judges, zygote and workers, each with its parent: what descends from this process and has not ended."""
    parents = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent, *_ = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if state != "Z" and int(file.parent.name) not in OF_OTHER_TESTS:
                parents[int(file.parent.name)] = int(parent)
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: parents[pid] for pid in found - {os.getpid()} if pid in parents}


def children(parent: int) -> list[int]:
    return [pid for pid, its_parent in processes().items() if its_parent == parent]


def is_zygote(pid: int) -> bool:
    with suppress(OSError):
        return b"grader.worker.zygote" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def judges(run: int) -> list[int]:
    """None until the zygote can be told from them: between its fork and its exec it looks like one."""
    found = children(run)
    return [pid for pid in found if not is_zygote(pid)] if any(map(is_zygote, found)) else []


def workers(run: int) -> list[int]:
    """Those that have been there for a moment, and are not only on their way into their sandbox."""
    (zygote,) = filter(is_zygote, children(run))
    seen = children(zygote)
    time.sleep(0.05)
    return [pid for pid in seen if pid in children(zygote)]


def wait_for(what: Callable[[], Found], seconds: float = 120) -> Found:
    deadline = time.monotonic() + seconds
    while not (seen := what()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return seen


@contextmanager
def small_disk(path: Path, kilobytes: int) -> Iterator[bool]:
    """A file system of its own at `path`; False where the user may not mount one."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(path)]
    mounted = shutil.which("mount") and not subprocess.run(command, capture_output=True, check=False).returncode
    try:
        yield bool(mounted)
    finally:
        if mounted:
            subprocess.run(["umount", str(path)], check=True)


@dataclass
class Story:
    """One folder of reports through three runs: a full disk, a run that is killed, judges and a worker that are."""

    out: Path
    told: list[str] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    finished: list[dict[str, int]] = field(default_factory=list)
    """After each run: when each report was written."""
    left: list[object] = field(default_factory=list)

    def look(self, status: int, told: str, before: object, traces: Callable[[], object]) -> None:
        wait_for(lambda: not processes(), 5)
        reports = sorted(self.out.glob("*/report.json"))
        for path in reports:
            json.loads(path.read_text(encoding="utf-8"))
        self.told.append(told)
        self.statuses.append(status)
        self.finished.append({path.parent.name: path.stat().st_mtime_ns for path in reports})
        self.left.append((list(processes()), before == traces()))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    base = tmp_path_factory.mktemp("operating")
    for student in STUDENTS:
        (base / "class" / student).mkdir(parents=True)
        shutil.copy(SOLUTIONS / EX2, base / "class" / student / EX2)
    (base / "tmp").mkdir()
    told = Story(base / "out")

    def traces() -> object:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8")
        return sorted(Path("/dev/shm").iterdir()), mounts, list((base / "tmp").iterdir())

    def start(*options: str, **more: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "grader.cli", "grade", str(base / "class"), "-o", str(told.out), "--jobs", "1"]
        environment = {**os.environ, "TMPDIR": str(base / "tmp")}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.Popen([*command, "--exercise", "ex2", *options], cwd=ROOT, env=environment, **pipes, **more)  # type: ignore[call-overload]

    def reports() -> int:
        return len(list(told.out.glob("*/report.json")))

    with small_disk(told.out, kilobytes=100) as mounted:
        before = traces()
        limit = None if mounted else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        with start(preexec_fn=limit) as run:
            text, _ = run.communicate(timeout=300)
        told.look(run.returncode, text, before, traces)
        if mounted:
            subprocess.run(["mount", "-o", "remount,size=8m", str(told.out)], check=True)

        before = traces()
        with start() as run:
            finished = reports()
            wait_for(lambda: reports() > finished)
            run.kill()
            text, _ = run.communicate(timeout=60)
        told.look(run.returncode, text, before, traces)

        started = max(told.finished[-1].values())
        with start("--regrade") as run:
            seen: set[int] = set()
            for _ in ("ada's judge", "the one that tries again", "bo's judge"):
                (pid,) = wait_for(lambda: [pid for pid in judges(run.pid) if pid not in seen])
                seen.add(pid)
                os.kill(pid, signal.SIGKILL)
            report = told.out / "bo" / "report.json"
            wait_for(lambda: report.is_file() and report.stat().st_mtime_ns > started)
            with suppress(ProcessLookupError):
                os.kill(wait_for(lambda: workers(run.pid))[0], signal.SIGKILL)
            text, _ = run.communicate(timeout=300)
        told.look(run.returncode, text, before, traces)
        yield told


FULL_DISK, KILLED, REGRADED = range(3)


def test_a_full_disk_is_one_sentence_and_what_was_written_before_is_whole(story: Story) -> None:
    assert story.statuses[FULL_DISK] == 2
    assert "No space left on device" in story.told[FULL_DISK] or "File too large" in story.told[FULL_DISK]
    assert len(story.finished[FULL_DISK]) < len(STUDENTS)


def test_a_killed_run_keeps_what_was_finished(story: Story) -> None:
    assert story.statuses[KILLED] == -signal.SIGKILL
    assert len(story.finished[KILLED]) > len(story.finished[FULL_DISK])
    kept = {student: story.finished[KILLED][student] for student in story.finished[FULL_DISK]}
    assert kept == story.finished[FULL_DISK], "a resumed run does only what is missing"


def test_a_failed_regrade_does_not_replace_a_report(story: Story) -> None:
    assert story.statuses[REGRADED] == 0
    assert story.finished[REGRADED]["ada"] == story.finished[KILLED]["ada"]
    assert "ada: grading again failed, so the report of an earlier run is kept" in story.told[REGRADED]


def test_who_kills_a_judge_or_a_worker_costs_no_one_marks(story: Story) -> None:
    rows = list(csv.DictReader((story.out / "grades.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["student"], row["total"]) for row in rows] == [(student, "20") for student in STUDENTS]


def test_however_a_run_ends_nothing_is_left(story: Story) -> None:
    """No process, no temporary file, no shared memory, no mount; in the reports only whole files."""
    assert story.left == [([], True)] * 3
    assert not [path for path in story.out.rglob("*") if path.name.startswith(".")]
    assert not [told for told in story.told if "Traceback" in told]


def test_a_run_that_is_killed_while_it_starts_takes_its_zygote_along(tmp_path: Path, put: Callable[..., Path]) -> None:
    put(tmp_path / "class" / "ada" / EX2)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "grader.cli", "grade", str(tmp_path / "class"), "-o", str(out)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as run:
        assert wait_for(lambda: [pid for pid in children(run.pid) if is_zygote(pid)])
        run.kill()
    assert wait_for(lambda: not processes(), 1), "it is loading torch, for seconds"


def test_two_runs_never_write_to_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], put: Callable[..., Path]
) -> None:
    put(tmp_path / "class" / "ada" / EX2)
    monkeypatch.setattr(reports_folder, "_PATIENCE_SECONDS", 0.1)
    with reports_folder.reserved(tmp_path / "out"):
        assert main(["grade", str(tmp_path / "class"), "-o", str(tmp_path / "out")]) == 2
    assert "another run is writing its reports" in capsys.readouterr().err


def test_a_read_only_folder_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], put: Callable[..., Path]
) -> None:
    put(tmp_path / "class" / "ada" / EX2)
    with small_disk(tmp_path / "out", kilobytes=64) as mounted:
        if mounted:
            subprocess.run(["mount", "-o", "remount,ro", str(tmp_path / "out")], check=True)
        elif os.geteuid() == 0:
            pytest.skip("root may write anywhere, and may not mount here")
        else:
            (tmp_path / "out").chmod(0o500)
        assert main(["grade", str(tmp_path / "class"), "-o", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "Read-only file system" in told or "Permission denied" in told


def test_what_a_killed_run_left_half_written_goes(tmp_path: Path, put: Callable[..., Path]) -> None:
    put(tmp_path / ".grades.csv-abc.part")
    put(tmp_path / "ada" / ".report.json-abc.part")
    put(tmp_path / "ada" / "report.json")
    with reports_folder.reserved(tmp_path):
        assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["report.json"]


def test_no_clock_that_can_be_set_decides_anything() -> None:
    """Waits and limits go by clocks that only run forward; only what a student packs says the time of day."""
    asked = []
    for path in sorted(set((ROOT / "grader").rglob("*.py")) - {ROOT / "grader" / "submit.py"}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("time.time", "datetime.now", "datetime.today"):
                asked.append(f"{path.name}:{node.lineno}")
    assert asked == []
