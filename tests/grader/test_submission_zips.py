"""What arrives in a zip is read like a folder, and is never unpacked."""

import bz2
import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course import EXERCISES
from grader.submissions import archive
from grader.submissions.find import Submission
from grader.submissions.reading import SOURCE_LIMIT
from tests.grader.conftest import found

EX2 = "ex2_attention.py"


def said(submission: Submission, words: str) -> bool:
    return any(words in note for note in submission.notes)


def test_a_zip_is_read_like_a_folder(
    tmp_path: Path, put_zip: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    put_zip(
        tmp_path / "Zoé [2] (late)+a.zip",
        {
            f"top/exercises/{EX2}": "a = 1\r\n",
            f"__MACOSX/top/exercises/{EX2}": "wrong",
            f"top/._{EX2}": b"\0",
            "top/.DS_Store": b"\0",
            "top\\ex3_multi_head_attention.py": "b = 1\n",
            "/abs/ex1_positional_encoding.py": "c = 1\n",
            "top/my notes.txt": "n",
        },
    )
    submission = only(tmp_path)
    assert submission.student == "Zoé [2] (late)+a"
    assert submission.sources == {"ex1": "c = 1\n", "ex2": "a = 1\n", "ex3": "b = 1\n"}
    assert not submission.notes


def test_zip_slip_and_links_in_a_zip_lead_nowhere(tmp_path: Path, only: Callable[[Path], Submission]) -> None:
    link = zipfile.ZipInfo(f"exercises/{EX2}")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "eve.zip", "w") as target:
        target.writestr("../../ex1_positional_encoding.py", "x = 1\n")
        target.writestr(link, "/etc/passwd")
    before = sorted(tmp_path.rglob("*"))
    submission = only(tmp_path)
    assert submission.sources == {}
    assert said(submission, "points outside the zip")
    assert said(submission, "is a link")
    assert sorted(tmp_path.rglob("*")) == before


def test_of_a_very_long_path_the_start_and_the_end_are_told(
    tmp_path: Path, put_zip: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    long = "d" * 60_000
    path = put_zip(tmp_path / "eve.zip", {f"../{long}/{EX2}": "", f"{long}/inner.zip": "", f"{long}/short": ""})
    with zipfile.ZipFile(path, "a") as target:
        link = zipfile.ZipInfo(f"{long}/{EX2}")
        link.external_attr = 0o120777 << 16
        target.writestr(link, "/etc/passwd")
        for copy in "ab":
            target.writestr(f"{long}/{copy}/ex3_multi_head_attention.py", "")
    submission = only(tmp_path)
    assert all(len(note) < 500 for note in submission.notes)
    assert said(submission, f"…{'d' * 63}/{EX2} is a link")
    assert said(submission, f"/{EX2} points outside the zip")
    assert said(submission, "d/inner.zip is an archive inside the submission")
    assert said(submission, "d/a/ex3_multi_head_attention.py is graded, not ddd")


def test_bombs_are_not_unpacked(tmp_path: Path, put_zip: Callable[..., Path]) -> None:
    put_zip(tmp_path / "large.zip", {EX2: b"#" * (SOURCE_LIMIT + 1), "zeros.bin": b"\0" * 30_000_000})
    put_zip(tmp_path / "ratio.zip", {EX2: b"#" * (SOURCE_LIMIT - 1)})
    data = bytearray(put_zip(tmp_path / "liar.zip", {EX2: b"#" * 30_000_000}).read_bytes())
    for offset in (data.find(b"PK\1\2") + 24, 22):  # both headers now claim ten bytes
        data[offset : offset + 4] = (10).to_bytes(4, "little")
    (tmp_path / "liar.zip").write_bytes(data)
    reasons = {one.student: one.unreadable["ex2"] for one in found(tmp_path)}
    assert "larger than 200 kB" in reasons["large"]
    assert "unpacks to more than 500 times its size" in reasons["ratio"]
    assert "cannot be read from the zip" in reasons["liar"]


def test_too_many_members_and_too_large_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, put_zip: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    put_zip(tmp_path / "many.zip", {f"{i}.txt": "" for i in range(50)})
    monkeypatch.setattr(archive, "MAX_MEMBERS", 20)
    assert said(only(tmp_path), "many.zip holds more than 20 files")
    monkeypatch.setattr(archive, "_MAX_PIECE", 1000)
    assert said(only(tmp_path), "many.zip is too large to be read")


def test_encrypted_unusual_and_nested_zips_are_explained(tmp_path: Path, put_zip: Callable[..., Path]) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as nested:
        nested.writestr(EX2, "x = 1\n")
    put_zip(tmp_path / "nested.zip", {"hand-in.zip": inner.getvalue()})
    data = bytearray(put_zip(tmp_path / "locked.zip", {EX2: "x = 1\n"}).read_bytes())
    data[6] |= 1
    data[data.find(b"PK\1\2") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "bz2.zip", "w", zipfile.ZIP_BZIP2) as target:
        target.writestr(EX2, "x = 1\n")
    (tmp_path / "broken.zip").write_bytes(bz2.compress(b"no zip"))
    by_name = {one.student: one for one in found(tmp_path)}
    assert said(by_name["nested"], "hand-in.zip is an archive inside the submission and was not opened")
    assert "is encrypted" in by_name["locked"].unreadable["ex2"]
    assert "compressed in an unusual way" in by_name["bz2"].unreadable["ex2"]
    assert said(by_name["broken"], "broken.zip is not a readable zip")


def test_a_damaged_zip_never_raises(
    tmp_path: Path, put_zip: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    sound = put_zip(tmp_path / "in" / "ada.zip", {f"exercises/{EX2}": "x = 1\n" * 50, "a.txt": "b"}).read_bytes()
    draw = random.Random(0)
    for _ in range(1500):
        data = bytearray(sound)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        (tmp_path / "in" / "ada.zip").write_bytes(data[: draw.choice([len(data), draw.randrange(len(data))])])
        submission = only(tmp_path / "in")
        assert submission.sources.keys() <= EXERCISES.keys()
