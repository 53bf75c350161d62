"""One batch of all attacks, at each level that this machine offers, with honest submissions between them."""

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.course import ROOT
from tests.grader.hostile.attacks import BYSTANDERS, EX2, NAMES, UNUSUAL, Level, attacks_at

if sys.platform == "linux":
    from grader.worker.isolation import linux


class NotHere(Exception):
    """This machine does not offer a level."""


@dataclass
class Graded:
    """What a batch left: its reports, what it said, and all else that it changed on this machine."""

    level: Level
    out: Path
    secret: str
    reports: dict[str, dict[str, Any]]
    printed: str
    callers: int = 0
    processes: set[int] = field(default_factory=set)
    mounts: set[str] = field(default_factory=set)
    files: list[Path] = field(default_factory=list)

    def text(self, student: str) -> str:
        """All that a report says about a submission, as one text."""
        report = self.reports[student]
        laws = [law for exercise in report["exercises"].values() for law in exercise["tests"]]
        return "\n".join(
            [*report["notes"], *(part for law in laws for part in (law["message"], law["counterexample"]))]
        )

    def passed(self, student: str) -> set[str]:
        """The names of the laws that have points."""
        exercises = self.reports[student]["exercises"].values()
        return {law["name"] for exercise in exercises for law in exercise["tests"] if law["score"]}


def grade(folder: Path, out: Path, level: Level, **environment: str) -> str:
    """Run the batch; what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.grader.hostile.batch", folder, out, level],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if "No isolation for the students' code" in done.stderr:
        raise NotHere(done.stderr.splitlines()[-1])
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def reports(out: Path) -> dict[str, dict[str, Any]]:
    """The reports in a folder, by student."""
    read = [json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*/report.json")]
    return {report["student"]: report for report in read}


def send_bystanders(folder: Path) -> None:
    """Put the honest submissions into a folder."""
    for name, path in BYSTANDERS.items():
        (folder / name).mkdir(parents=True)
        (folder / name / EX2).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")


@pytest.fixture(scope="session")
def batches(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Level], Graded | NotHere]:
    """The class of attackers and bystanders, graded once at each level that is asked for."""

    @cache
    def at(level: Level) -> Graded | NotHere:
        try:
            return grade_all(level, tmp_path_factory.mktemp("hostile"))
        except NotHere as reason:
            return reason

    return at


@pytest.fixture(params=["namespaces", "landlock"])
def graded(request: pytest.FixtureRequest, batches: Callable[[Level], Graded | NotHere]) -> Graded:
    """What a batch at one level left."""
    found = batches(request.param)
    if isinstance(found, NotHere):
        pytest.skip(str(found))
    return found


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reports of the honest submissions, graded without any attack beside them."""
    home = tmp_path_factory.mktemp("alone")
    send_bystanders(home / "in")
    try:
        grade(home / "in", home / "out", "namespaces")
    except NotHere:
        grade(home / "in", home / "out", "landlock")
    return home / "out"


def grade_all(level: Level, home: Path) -> Graded:
    """Send all attacks and bystanders, grade them, and look around."""
    folder, out, temporary = (home / name for name in ("in", "out", "tmp"))
    for made in (folder, out, temporary):
        made.mkdir()
    secret, canary = secrets.token_hex(8), f"canary-{secrets.token_hex(8)}"
    (home / "secret").write_text(secret, encoding="utf-8")
    send_bystanders(folder)
    (folder / "honest").mkdir()
    (folder / "honest" / EX2).write_text(f"raise SystemExit  # {secret}\n", encoding="utf-8")
    with listening(canary) as phones:
        known = {
            "@CANARY@": canary, "@PORT@": str(phones[0].getsockname()[1]), "@COURSE@": str(ROOT), "@OUT@": str(out),
            "@SUBMISSIONS@": str(folder), "@SECRET@": str(home / "secret"), "@DEEP@": "\n" + "+0" * 2500,
        }  # fmt: skip
        for attack in attacks_at(level):
            attack.send(folder / attack.id, known)
        for name, (make, _) in UNUSUAL.items():
            make(folder / name)
        for name in NAMES:
            (folder / name).mkdir()
            (folder / name / EX2).write_text("raise SystemExit\n", encoding="utf-8")
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)  # what outlives the run becomes a child of this process
        before = children(), mounts()
        printed = grade(folder, out, level, SECRET=secret, TMPDIR=str(temporary), HOME=str(temporary))
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 0)
        return Graded(
            level,
            out,
            secret,
            reports(out),
            printed,
            callers=sum(has_caller(phone) for phone in phones),
            processes=children() - before[0],
            mounts={line for line in mounts() - before[1] if str(home) in line or "/proc" in line},
            files=[
                *canaries(canary, home),
                *(path for path in temporary.iterdir() if "torchinductor" not in path.name),
            ],
        )


@contextlib.contextmanager
def listening(name: str) -> Iterator[list[socket.socket]]:
    """Sockets that notice whoever calls: TCP and UDP on one port, and an abstract name."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as local,
    ):
        udp.bind(tcp.getsockname())
        local.bind(f"\0{name}")
        local.listen()
        yield [tcp, udp, local]


def has_caller(phone: socket.socket) -> bool:
    """Whether anybody has called."""
    phone.setblocking(False)
    try:
        if phone.type is socket.SOCK_DGRAM:
            phone.recv(1)
        else:
            phone.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def children() -> set[int]:
    """The processes that this one has started or inherited."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text(encoding="ascii").split()}


def mounts() -> set[str]:
    """What is mounted as this process sees it."""
    return set(Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines())


def canaries(name: str, home: Path) -> list[Path]:
    """Files of this name, or made by code that was planted, wherever an attack could have put them."""
    import torch

    site = Path(torch.__file__).parents[1]
    shallow = [Path(folder) for folder in ("/", "/tmp", "/var/tmp", "/dev/shm", ROOT, site, site / "torch")]
    found = [path for folder in shallow for path in folder.glob(f"{name}*")]
    return [*found, *home.rglob(f"{name}*"), *site.glob("sitecustomize.py"), *site.glob("usercustomize.py")]
