"""Names of folders to write to: safe on any system, and never the same for two students."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.submissions.find import Submission
from grader.submissions.names import safe_name


def test_ordinary_names_stay() -> None:
    for name in ("ada", "Zoe [2] (late)+a", "李雷", "José Ñ.", "😀 b", "a" * 100):
        assert safe_name(name, set()).startswith(name.rstrip("."))
    assert safe_name("Zoe [2] (late)+a", set()) == "Zoe [2] (late)+a"


HOSTILE_NAMES = [
    "../../etc",
    "..",
    ".",
    "",
    " ",
    "a/b",
    "a\\b",
    "C:evil",
    "CON",
    "nul.txt",
    "com¹",
    "x.",
    "x ",
    "-rf",
]
HOSTILE_NAMES += [
    "a\nb",
    "a\0b",
    "\u202egnp.exe",
    "<script>",
    "x" * 200,
    "😀" * 200,
    "index.html",
    "GRADES.CSV",
    "\udcff",
]


@pytest.mark.parametrize("student", HOSTILE_NAMES)
def test_hostile_names_are_made_safe(tmp_path: Path, student: str) -> None:
    name = safe_name(student, set())
    assert name == safe_name(student, set())
    assert 0 < len(name) <= 100
    assert len(name.encode("utf-8")) <= 255
    assert not set(name) & set('/\\:*?"<>|\n\0')
    assert not name.startswith(".")
    assert not name.endswith((".", " "))
    assert name.lower() not in {"con", "nul", "com¹", "index.html", "grades.csv"}
    assert name.partition(".")[0].lower() not in {"con", "nul"}
    (tmp_path / name).mkdir()
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_no_two_students_share_a_folder() -> None:
    students = [
        "ada",
        "Ada",
        "ADA",
        "ada.",
        "ada ",
        "a/da",
        "a\\da",
        "straße",
        "STRASSE",
        "ﬁ",
        "fi",
        *["x" * n for n in (100, 101, 102)],
    ]
    taken: set[str] = set()
    names = [safe_name(student, taken) for student in students]
    assert len({name.casefold() for name in names}) == len(students)
    assert names[0] == "ada"


@pytest.mark.skipif(os.name == "nt" or os.uname().sysname == "Darwin", reason="names are bytes only here")
def test_a_name_that_is_no_utf8_can_still_be_written_down(tmp_path: Path, only: Callable[[Path], Submission]) -> None:
    os.mkdir(os.fsencode(tmp_path) + b"/zo\xeb")  # noqa: PTH102
    submission = only(tmp_path)
    assert submission.student == "zo\\xeb"
    assert submission.student.encode("utf-8")
