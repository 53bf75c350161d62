"""What arrives in a folder: every file that is read, and every one that must not be."""

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course import EXERCISES
from grader.exit_status import Unusable
from grader.submissions.arrivals import Arrival, Part, locate
from grader.submissions.find import Submission, read
from grader.submissions.names import match_exercise
from tests.grader.conftest import found

EX2 = "ex2_attention.py"


def said(submission: Submission, words: str) -> bool:
    return any(words in note for note in submission.notes)


# Where files lie


@pytest.mark.parametrize("where", ["", "exercises/", "my work/deeper/exercises/", "hand-in [final] (2)+b/"])
def test_files_are_found_at_any_depth(
    tmp_path: Path, where: str, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    for exercise in EXERCISES.values():
        put(tmp_path / "ada" / (where + exercise.filename), f"id = '{exercise.id}'\n")
    submission = only(tmp_path)
    assert submission.sources == {name: f"id = '{name}'\n" for name in EXERCISES}
    assert not submission.unreadable
    assert not submission.notes


def test_the_order_is_stable_and_by_name(tmp_path: Path, put: Callable[..., Path]) -> None:
    for student in ("zoe", "Ada", "李雷", "bob [2]", "ada"):
        put(tmp_path / student / EX2)
    assert [one.student for one in found(tmp_path)] == ["Ada", "ada", "bob [2]", "zoe", "李雷"]


def test_a_student_without_files_is_a_submission(tmp_path: Path, only: Callable[[Path], Submission]) -> None:
    (tmp_path / "empty").mkdir()
    submission = only(tmp_path)
    assert submission.sources == {}
    assert submission.unreadable == {}
    assert said(submission, "none of the five exercise files was found")


@pytest.mark.parametrize("clutter", ["__MACOSX", ".git", "__pycache__", ".ipynb_checkpoints"])
def test_clutter_is_ignored(
    tmp_path: Path, clutter: str, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    put(tmp_path / "ada" / clutter / EX2, "wrong = True\n")
    put(tmp_path / "ada" / f"._{EX2}", b"\0\5\x16\7")
    put(tmp_path / "ada" / ".DS_Store", b"\0")
    put(tmp_path / "ada" / "sub" / EX2, "right = True\n")
    put(tmp_path / clutter / EX2)
    submission = only(tmp_path)
    assert submission.sources == {"ex2": "right = True\n"}
    assert not submission.notes


def test_of_several_copies_one_rule_picks(
    tmp_path: Path, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    for where in ("a/b", "z", "a/exercises", "."):
        put(tmp_path / "ada" / where / EX2, f"{where!r}\n")
    submission = only(tmp_path)
    assert submission.sources["ex2"] == "'a/exercises'\n"
    assert said(submission, "found 4 times: a/exercises/ex2_attention.py is graded, not ex2_attention.py, z/")


@pytest.mark.parametrize(
    "name", ["ex2_attention (1).py", "Ex2-Attention.PY", "ex2 attention.py", "ex2_attention - Copy.py"]
)
def test_a_name_nearly_right_is_taken_with_a_note(
    tmp_path: Path, name: str, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    put(tmp_path / "ada" / name)
    submission = only(tmp_path)
    assert "ex2" in submission.sources
    assert said(submission, f"{name} was taken for ex2_attention.py")


@pytest.mark.parametrize("name", ["test_ex2_attention.py", "ex2.py", "ex2_attention.txt", "ex2_attention_old.py", "py"])
def test_other_names_are_not(name: str) -> None:
    assert match_exercise(name) is None


def test_a_folder_wins_over_a_zip_of_the_same_student(
    tmp_path: Path, put: Callable[..., Path], put_zip: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    put(tmp_path / "ada" / EX2, "folder = 1\n")
    put_zip(tmp_path / "ada.zip", {EX2: "zipped = 1\n"})
    submission = only(tmp_path)
    assert submission.sources["ex2"] == "folder = 1\n"
    assert said(submission, "sent more than once: ada is graded, not ada.zip")


def test_stray_files_beside_the_students_are_noted(tmp_path: Path, put: Callable[..., Path]) -> None:
    put(tmp_path / "ada" / EX2)
    put(tmp_path / "notes.txt")
    arrivals, notes = locate(tmp_path)
    assert [arrival.student for arrival in arrivals] == ["ada"]
    assert notes == ["notes.txt is a file where a student's folder or zip is expected"]


def test_an_nbgrader_course_stands_for_what_was_submitted(
    tmp_path: Path, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    put(tmp_path / "nbgrader_config.py")
    put(tmp_path / "source" / "ex2_attention" / EX2, "solution = 1\n")
    notebook = {"cells": [{"cell_type": "code", "source": "causal_mask = 1"}]}
    put(tmp_path / "submitted" / "ada" / "ex2_attention" / "ex2_attention.ipynb", json.dumps(notebook))
    submission = only(tmp_path)
    assert submission.student == "ada"
    assert "causal_mask = 1" in submission.sources["ex2"]


def test_the_digest_tells_texts_apart_and_nothing_else(tmp_path: Path, put: Callable[..., Path]) -> None:
    put(tmp_path / "a" / EX2, "x = 1\n")
    put(tmp_path / "b" / "exercises" / EX2, "x = 1\r\n")
    put(tmp_path / "c" / EX2, "x = 2\n")
    put(tmp_path / "d" / "ex1_positional_encoding.py", "x = 1\n")
    put(tmp_path / "e" / EX2, b"\xff")
    first, second, *others = (one.sha256 for one in found(tmp_path))
    assert first == second
    assert len({first, *others}) == 4


# Folders that cannot be used


def test_a_missing_folder_a_file_and_an_empty_folder_are_one_sentence(tmp_path: Path, put: Callable[..., Path]) -> None:
    (tmp_path / "empty").mkdir()
    for unusable, words in (
        ("nowhere", "does not exist"),
        ("empty", "no submissions"),
        ("file", "not a folder"),
    ):
        if unusable == "file":
            put(tmp_path / "file")
        with pytest.raises(Unusable, match=words):
            found(tmp_path / unusable)


def test_one_student_s_own_folder_is_recognised(tmp_path: Path, put: Callable[..., Path]) -> None:
    put(tmp_path / EX2)
    with pytest.raises(Unusable, match="itself; give the folder above it"):
        found(tmp_path)


# What must not be opened


def test_links_are_never_followed(
    tmp_path: Path, put: Callable[..., Path], put_zip: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    secret = put(tmp_path / "secret" / EX2, "secret = 1\n")
    inbox = tmp_path / "in"
    put(inbox / "ada" / "notes.txt")
    (inbox / "ada" / EX2).symlink_to("/etc/passwd")
    (inbox / "ada" / "exercises").symlink_to(secret.parent, target_is_directory=True)
    (inbox / "eve").symlink_to(secret.parent, target_is_directory=True)
    (inbox / "mallory.zip").symlink_to(put_zip(tmp_path / "other.zip", {EX2: "x"}))
    arrivals, notes = locate(inbox)
    assert [arrival.student for arrival in arrivals] == ["ada"]
    assert notes == [f"{name} is a link; links are not followed" for name in ("eve", "mallory.zip")]
    submission = only(inbox)
    assert submission.sources == {}
    assert said(submission, f"{EX2} is a link")
    assert said(submission, "exercises is a link")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system here")
def test_pipes_are_not_opened(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    os.mkfifo(tmp_path / "ada" / EX2)
    os.mkfifo(tmp_path / "bob.zip")
    results: list[list[Submission]] = []
    thread = threading.Thread(target=lambda: results.append(found(tmp_path)), daemon=True)
    thread.start()
    thread.join(10)
    assert results, "reading waits on a pipe"
    assert said(results[0][0], f"{EX2} is neither a file nor a folder")


def test_hard_links_are_noted(tmp_path: Path, put: Callable[..., Path], only: Callable[[Path], Submission]) -> None:
    other = put(tmp_path / "other.py")
    (tmp_path / "in" / "ada").mkdir(parents=True)
    os.link(other, tmp_path / "in" / "ada" / EX2)
    assert said(only(tmp_path / "in"), "is a hard link")


def test_a_huge_sparse_file_is_refused_unread(
    tmp_path: Path, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    path = put(tmp_path / "ada" / EX2)
    os.truncate(path, 1 << 40)
    assert only(tmp_path).unreadable == {"ex2": f"{EX2} is larger than 200 kB, the limit for one file"}


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_said(
    tmp_path: Path, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    put(tmp_path / "ada" / EX2).chmod(0)
    put(tmp_path / "ada" / "locked" / EX2).parent.chmod(0)
    submission = only(tmp_path)
    (tmp_path / "ada" / "locked").chmod(0o700)
    assert "cannot be opened (Permission denied)" in submission.unreadable["ex2"]
    assert said(submission, "the folder locked cannot be opened")


def test_what_goes_away_while_it_is_looked_at_is_one_sentence(tmp_path: Path, put: Callable[..., Path]) -> None:
    put(tmp_path / f"lovelaceada_34093_208490_{EX2}").rename(tmp_path / "gone")
    arrival = Arrival("ada", (Part(tmp_path / f"lovelaceada_34093_208490_{EX2}", EX2),))
    assert read(arrival).notes == ("could not be read (No such file or directory)",)
