"""What arrives, as people sent it: each kind with its outcome, and the one sentence that tells it.

All that has to be run is graded in one batch; what is decided by reading is read.
"""

import csv
import importlib.util
import io
import json
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from grader.course import ROOT, SOLUTIONS
from grader.submissions.arrivals import locate
from grader.submissions.find import read
from grader.submissions.names import safe_name

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading is isolated on Linux only")

EX2 = "ex2_attention.py"
RIGHT = (SOLUTIONS / EX2).read_text(encoding="utf-8")
BOM, ENDS_IT_ALL = b"\xef\xbb\xbf", "import os\nos._exit(0)\n"
FULL_MARKS = 20


def zipped(members: dict[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def with_method(method: int, *, encrypted: bool = False) -> bytes:
    """A zip that claims to be compressed in another way, or with a password."""
    data = bytearray(zipped({EX2: RIGHT}))
    for offset in (6, data.find(b"PK\1\2") + 8):  # flags, then method, in both headers
        data[offset : offset + 4] = struct.pack("<HH", int(encrypted), method)
    return bytes(data)


def notebook(*cells: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]})


@dataclass(frozen=True)
class Kind:
    """What `student` sent: a folder with `files`, or a zip if they are bytes; its points, and what is said."""

    student: str
    files: dict[str, str | bytes] | bytes
    score: int
    said: str = ""
    large: tuple[str, ...] = field(default=())
    """Files of 200 MB, all holes."""

    @property
    def name(self) -> str:
        return f"{self.student}.zip" if isinstance(self.files, bytes) else self.student

    def put(self, inbox: Path) -> None:
        if isinstance(self.files, bytes):
            (inbox / self.name).write_bytes(self.files)
            return
        (inbox / self.name).mkdir()
        for file, content in self.files.items():
            path = inbox / self.name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        for file in self.large:
            (inbox / self.name / file).touch()
            os.truncate(inbox / self.name / file, 200_000_000)


DEMO = "q = torch.randn(1, 3, 4)\nprint('{', scaled_dot_product_attention(q, q, q))\n"
GUARD = "if __name__ == '__main__':\n    plt.show(input(open('data.txt')))\n"

KINDS = [
    # Names
    Kind("Zoe [2] (late)+a", {EX2: RIGHT.replace("\n", "\r\n"), "my notes.txt": "n"}, FULL_MARKS),
    Kind("李雷 لبنى", {EX2: BOM + RIGHT.encode()}, FULL_MARKS),
    Kind("😀 👩\u200d🔬", {EX2: RIGHT.replace("    ", "\t")}, FULL_MARKS),
    Kind("dots...", {}, 0, "none of the five exercise files was found"),
    Kind("x" * 200, {}, 0, "none of the five exercise files was found"),
    Kind("ADA", {EX2: f"{RIGHT}\n{DEMO}"}, FULL_MARKS),
    Kind("ada", {EX2: f"{RIGHT}\n{GUARD}"}, FULL_MARKS),
    # What lies beside the answer
    Kind(
        "own tests",
        {
            EX2: RIGHT,
            "tests/exercises/test_ex2_attention.py": ENDS_IT_ALL,
            "conftest.py": ENDS_IT_ALL,
            "pytest.ini": "[pytest]\naddopts = --collect-only\n",
            "torch.py": ENDS_IT_ALL,
            "exercises/__init__.py": ENDS_IT_ALL,
        },
        FULL_MARKS,
    ),
    Kind("stray files", {EX2: RIGHT}, FULL_MARKS, large=("core.1234", "model.pt")),
    Kind("large", {}, 0, f"{EX2} is larger than 200 kB, the limit for one file", large=(EX2,)),
    Kind(
        "mac",
        zipped(
            {
                "hand in/exercises/ex2_attention.py": RIGHT,
                "__MACOSX/hand in/exercises/ex2_attention.py": ENDS_IT_ALL,
                "hand in/exercises/._ex2_attention.py": b"\0\5\x16\7",
                "hand in/.DS_Store": b"\0",
            }
        ),
        FULL_MARKS,
    ),
    # The answer's own name and form
    Kind("second download", {"ex2_attention (1).py": RIGHT}, FULL_MARKS, f"ex2_attention (1).py was taken for {EX2}"),
    Kind("hyphen", {"ex2-attention.py": RIGHT}, FULL_MARKS, f"ex2-attention.py was taken for {EX2}"),
    Kind("shouting", {"Ex2_Attention.PY": RIGHT}, FULL_MARKS, f"Ex2_Attention.PY was taken for {EX2}"),
    Kind(
        "notebook",
        {"ex2_attention.ipynb": notebook("%matplotlib inline\n", RIGHT, "!ls\n")},
        FULL_MARKS,
        "ex2_attention.ipynb: 2 notebook command lines (% or !) left out",
    ),
    Kind(
        "both",
        {EX2: RIGHT, "ex2_attention.ipynb": notebook("wrong")},
        FULL_MARKS,
        f"{EX2} was found 2 times: {EX2} is graded, not ex2_attention.ipynb",
    ),
    # Texts that are none
    Kind("empty", {EX2: "\n"}, 0, f"{EX2} is empty"),
    Kind("utf-16", {EX2: RIGHT.encode("utf-16")}, 0, f"{EX2} is saved as UTF-16, which Python cannot run; save it as"),
    Kind(
        "latin-1", {EX2: f"# é\n{RIGHT}".encode("latin-1", "ignore")}, 0, f"{EX2} is not valid UTF-8 at byte 2 (line 1)"
    ),
    Kind("a nul", {EX2: RIGHT.encode() + b"\0"}, 0, f"{EX2} holds a NUL byte"),
    # Programs that cannot be loaded
    Kind("python 2", {EX2: f"{RIGHT}\nprint 'hello'\n"}, 0, f"{EX2} cannot be imported: SyntaxError: Missing"),
    Kind("asks", {EX2: f"{RIGHT}\nn = input('n? ')\n"}, 0, f"{EX2} cannot be imported: EOFError: EOF when"),
    Kind("opens", {EX2: f"{RIGHT}\nopen('data.txt')\n", "data.txt": "1"}, 0, f"{EX2} cannot be imported: FileNotFound"),
    Kind("mixes", {EX2: f"{RIGHT}\nif True:\n\tx = 1\n        y = 2\n"}, 0, f"{EX2} cannot be imported: TabError: "),
    # Zips
    Kind("locked", with_method(zipfile.ZIP_DEFLATED, encrypted=True), 0, f"{EX2} is encrypted; make the zip without a"),
    Kind("deflate64", with_method(9), 0, f"{EX2} is compressed in an unusual way; make the zip with the system's own"),
    Kind(
        "nested", zipped({"in.zip": zipped({EX2: RIGHT})}), 0, "in.zip is an archive inside the submission and was not"
    ),
    Kind("absolute", zipped({f"/{EX2}": RIGHT, f"C:\\me\\{EX2}": "wrong"}), FULL_MARKS, f"{EX2} was found 2 times"),
    Kind("zip inside", {"hand-in.zip": zipped({EX2: RIGHT})}, FULL_MARKS),
    Kind("no zip", b"Rar!\x1a\7\0", 0, "no zip.zip is not a readable zip"),
    # Others
    Kind("a folder for a file", {f"{EX2}/main.py": RIGHT}, 0, "none of the five exercise files was found"),
]
if importlib.util.find_spec("matplotlib") is None:
    plots = f"import matplotlib.pyplot as plt\n{RIGHT}\nplt.plot([1])\nplt.show()\n"
    KINDS.append(Kind("plots", {EX2: plots}, 0, f"{EX2} cannot be imported: ModuleNotFoundError: No module named"))


@dataclass(frozen=True)
class Run:
    """The batch, graded."""

    out: Path
    told: str

    def report(self, kind: Kind) -> dict[str, Any]:
        taken: set[str] = set()
        folders = {student: safe_name(student, taken) for student in sorted((k.student for k in KINDS), key=by_name)}
        text = (self.out / folders[kind.student] / "report.json").read_text(encoding="utf-8")
        loaded: dict[str, Any] = json.loads(text)
        return loaded


def by_name(student: str) -> tuple[str, str]:
    return student.casefold(), student


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    inbox, out = tmp_path_factory.mktemp("zoo"), tmp_path_factory.mktemp("reports")
    for kind in KINDS:
        kind.put(inbox)
    (inbox / "a file for a folder.txt").touch()
    command = [sys.executable, "-m", "grader.cli", "grade", str(inbox), "-o", str(out), "--exercise", "ex2"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return Run(out, done.stdout + done.stderr)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.student[:20])
def test_each_kind_has_its_points_and_its_sentence(graded: Run, kind: Kind) -> None:
    """The sentence stands once in the student's report and once on the page of the class."""
    report = graded.report(kind)
    assert report["student"] == kind.student
    assert report["score"] == kind.score
    notes = [*report["notes"], *report["exercises"]["ex2"]["notes"]]
    assert len(notes) == bool(kind.said)
    assert all(note.startswith(kind.said) and "\n" not in note for note in notes)
    page = unescape((graded.out / "index.html").read_text(encoding="utf-8"))
    assert all(note in page for note in notes)


def test_the_batch_goes_through_and_shows_no_traceback(graded: Run) -> None:
    rows = list(csv.DictReader((graded.out / "grades.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["student"] for row in rows] == sorted((kind.student for kind in KINDS), key=by_name)
    assert "a file for a folder.txt is a file where a student's folder or zip is expected" in graded.told
    assert "Traceback" not in graded.told
    assert not [path for path in graded.out.rglob("report.html") if "Traceback" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("graded_name", ["ada", "ada.ZIP"])
def test_of_two_submissions_the_folder_counts_then_the_first_zip(tmp_path: Path, graded_name: str) -> None:
    (tmp_path / "ada.ZIP").write_bytes(zipped({EX2: "a = 'ada.ZIP'\n"}))
    (tmp_path / "ada.zip").write_bytes(zipped({EX2: "a = 'ada.zip'\n"}))
    if graded_name == "ada":
        Kind("ada", {EX2: "a = 'ada'\n"}, 0).put(tmp_path)
    (arrival,), _ = locate(tmp_path)
    submission = read(arrival)
    assert submission.sources == {"ex2": f"a = '{graded_name}'\n"}
    (note,) = submission.notes
    assert note.startswith(f"sent more than once: {graded_name} is graded, not ada.")


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_one_sentence(tmp_path: Path) -> None:
    Kind("ada", {EX2: RIGHT}, 0).put(tmp_path)
    (tmp_path / "ada").chmod(0)
    (tmp_path / "bo.zip").write_bytes(zipped({EX2: RIGHT}))
    (tmp_path / "bo.zip").chmod(0)
    notes = [read(arrival).notes for arrival in locate(tmp_path)[0]]
    (tmp_path / "ada").chmod(0o700)
    assert notes[0][0] == "the whole folder cannot be opened (Permission denied)"
    assert notes[1][0] == "bo.zip cannot be opened (Permission denied)"


def test_a_class_of_thousands_is_read_in_order(tmp_path: Path, put: Callable[..., Path]) -> None:
    for number in range(8000):
        put(tmp_path / f"s{number:04}" / EX2, f"x = {number}\n")
    arrivals, notes = locate(tmp_path)
    assert notes == []
    assert [read(arrival).sources["ex2"] for arrival in arrivals] == [f"x = {number}\n" for number in range(8000)]
    taken: set[str] = set()
    assert all(safe_name(arrival.student, taken) == arrival.student for arrival in arrivals)
