"""What arrives: every file that is read, and every one that must not be."""

import bz2
import io
import json
import os
import random
import threading
import zipfile
from pathlib import Path

import pytest

from grader.course import EXERCISES
from grader.submissions import archive
from grader.submissions.decode import decode
from grader.submissions.find import Submission, UnusableInput, find, locate
from grader.submissions.names import match_exercise, safe_name
from grader.submissions.notebook import code_of
from grader.submissions.reading import SOURCE_LIMIT, Unreadable

EX2 = "ex2_attention.py"


def put(path: Path, content: str | bytes = "x = 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def put_zip(path: Path, members: dict[str, str | bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return path


def only(folder: Path) -> Submission:
    (submission,) = find(folder)
    return submission


def said(submission: Submission, words: str) -> bool:
    return any(words in note for note in submission.notes)


# Where files lie


@pytest.mark.parametrize("where", ["", "exercises/", "my work/deeper/exercises/", "hand-in [final] (2)+b/"])
def test_files_are_found_at_any_depth(tmp_path: Path, where: str) -> None:
    for exercise in EXERCISES.values():
        put(tmp_path / "ada" / (where + exercise.filename), f"id = '{exercise.id}'\n")
    submission = only(tmp_path)
    assert submission.sources == {name: f"id = '{name}'\n" for name in EXERCISES}
    assert not submission.unreadable
    assert not submission.notes


def test_the_order_is_stable_and_by_name(tmp_path: Path) -> None:
    for student in ("zoe", "Ada", "李雷", "bob [2]", "ada"):
        put(tmp_path / student / EX2)
    assert [one.student for one in find(tmp_path)] == ["Ada", "ada", "bob [2]", "zoe", "李雷"]


def test_a_student_without_files_is_a_submission(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    submission = only(tmp_path)
    assert submission.sources == {}
    assert submission.unreadable == {}
    assert said(submission, "none of the five exercise files was found")


@pytest.mark.parametrize("clutter", ["__MACOSX", ".git", "__pycache__", ".ipynb_checkpoints"])
def test_clutter_is_ignored(tmp_path: Path, clutter: str) -> None:
    put(tmp_path / "ada" / clutter / EX2, "wrong = True\n")
    put(tmp_path / "ada" / f"._{EX2}", b"\0\5\x16\7")
    put(tmp_path / "ada" / ".DS_Store", b"\0")
    put(tmp_path / "ada" / "sub" / EX2, "right = True\n")
    put(tmp_path / clutter / EX2)
    submission = only(tmp_path)
    assert submission.sources == {"ex2": "right = True\n"}
    assert not submission.notes


def test_of_several_copies_one_rule_picks(tmp_path: Path) -> None:
    for where in ("a/b", "z", "a/exercises", "."):
        put(tmp_path / "ada" / where / EX2, f"{where!r}\n")
    submission = only(tmp_path)
    assert submission.sources["ex2"] == "'a/exercises'\n"
    assert said(submission, "found 4 times: a/exercises/ex2_attention.py is graded, not ex2_attention.py, z/")


@pytest.mark.parametrize(
    "name", ["ex2_attention (1).py", "Ex2-Attention.PY", "ex2 attention.py", "ex2_attention - Copy.py"]
)
def test_a_name_nearly_right_is_taken_with_a_note(tmp_path: Path, name: str) -> None:
    put(tmp_path / "ada" / name)
    submission = only(tmp_path)
    assert "ex2" in submission.sources
    assert said(submission, f"{name} was taken for ex2_attention.py")


@pytest.mark.parametrize(
    "name", ["test_ex2_attention.py", "ex2.py", "ex2_attention.txt", "ex2_attention_old.py", "py"]
)
def test_other_names_are_not(name: str) -> None:
    assert match_exercise(name) is None


def test_a_folder_wins_over_a_zip_of_the_same_student(tmp_path: Path) -> None:
    put(tmp_path / "ada" / EX2, "folder = 1\n")
    put_zip(tmp_path / "ada.zip", {EX2: "zipped = 1\n"})
    submission = only(tmp_path)
    assert submission.sources["ex2"] == "folder = 1\n"
    assert said(submission, "sent more than once: ada is graded, not ada.zip")


def test_stray_files_beside_the_students_are_noted(tmp_path: Path) -> None:
    put(tmp_path / "ada" / EX2)
    put(tmp_path / "notes.txt")
    arrivals, notes = locate(tmp_path)
    assert [arrival.student for arrival in arrivals] == ["ada"]
    assert notes == ["notes.txt is a file where a student's folder or zip is expected"]


def test_an_nbgrader_course_stands_for_what_was_submitted(tmp_path: Path) -> None:
    put(tmp_path / "nbgrader_config.py")
    put(tmp_path / "source" / "ex2_attention" / EX2, "solution = 1\n")
    notebook = {"cells": [{"cell_type": "code", "source": "causal_mask = 1"}]}
    put(tmp_path / "submitted" / "ada" / "ex2_attention" / "ex2_attention.ipynb", json.dumps(notebook))
    submission = only(tmp_path)
    assert submission.student == "ada"
    assert "causal_mask = 1" in submission.sources["ex2"]


def test_the_digest_tells_texts_apart_and_nothing_else(tmp_path: Path) -> None:
    put(tmp_path / "a" / EX2, "x = 1\n")
    put(tmp_path / "b" / "exercises" / EX2, "x = 1\r\n")
    put(tmp_path / "c" / EX2, "x = 2\n")
    put(tmp_path / "d" / "ex1_positional_encoding.py", "x = 1\n")
    put(tmp_path / "e" / EX2, b"\xff")
    first, second, *others = (one.sha256 for one in find(tmp_path))
    assert first == second
    assert len({first, *others}) == 4


# Folders that cannot be used


def test_a_missing_folder_a_file_and_an_empty_folder_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for unusable, words in (
        ("nowhere", "does not exist"),
        ("empty", "no submissions"),
        ("file", "not a folder"),
    ):
        if unusable == "file":
            put(tmp_path / "file")
        with pytest.raises(UnusableInput, match=words):
            find(tmp_path / unusable)


def test_one_student_s_own_folder_is_recognised(tmp_path: Path) -> None:
    put(tmp_path / EX2)
    with pytest.raises(UnusableInput, match="itself; give the folder above it"):
        find(tmp_path)


# What must not be opened


def test_links_are_never_followed(tmp_path: Path) -> None:
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
    thread = threading.Thread(target=lambda: results.append(find(tmp_path)), daemon=True)
    thread.start()
    thread.join(10)
    assert results, "find() waits on a pipe"
    assert said(results[0][0], f"{EX2} is neither a file nor a folder")


def test_hard_links_are_noted(tmp_path: Path) -> None:
    other = put(tmp_path / "other.py")
    (tmp_path / "in" / "ada").mkdir(parents=True)
    os.link(other, tmp_path / "in" / "ada" / EX2)
    assert said(only(tmp_path / "in"), "is a hard link")


def test_a_huge_sparse_file_is_refused_unread(tmp_path: Path) -> None:
    path = put(tmp_path / "ada" / EX2)
    os.truncate(path, 1 << 40)
    assert only(tmp_path).unreadable == {"ex2": f"{EX2} is larger than 1 MB, the limit for one file"}


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_said(tmp_path: Path) -> None:
    put(tmp_path / "ada" / EX2).chmod(0)
    put(tmp_path / "ada" / "locked" / EX2).parent.chmod(0)
    submission = only(tmp_path)
    (tmp_path / "ada" / "locked").chmod(0o700)
    assert "cannot be opened (Permission denied)" in submission.unreadable["ex2"]
    assert said(submission, "the folder locked cannot be opened")


# Texts


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\xef\xbb\xbfx = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
        ("s = 'åäö ₀ 日本'\n".encode(), "s = 'åäö ₀ 日本'\n"),
        (b"# -*- coding: latin-1 -*-\ns = '\xe5'\n", "# -*- coding: latin-1 -*-\ns = 'å'\n"),
        (b"\n# vim: set fileencoding=gbk :\ns = '\xc4\xe3'\n", "\n# vim: set fileencoding=gbk :\ns = '你'\n"),
        (b"", ""),
    ],
)
def test_texts_are_decoded(raw: bytes, text: str) -> None:
    assert decode(raw) == text


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("x = 1\n".encode("utf-16"), "is saved as UTF-16"),
        ("x = 1\n".encode("utf-32"), "is saved as UTF-32"),
        ("x = 1\n".encode("utf-16-le"), "holds a NUL byte at byte 1"),
        (b"x = 1\0\n", "holds a NUL byte at byte 5"),
        (b"x = 1\ns = '\xe5'\n", "is not valid UTF-8 at byte 11 (line 2)"),
        (b"x = 1\n# coding: latin-1\ns = '\xe5'\n", "is not valid UTF-8"),
        (b"# coding: punycode\ns = '\xe5'\n", "nor can it be read as punycode"),
        (b"# coding: zlib_codec\n\xff", "nor can it be read as zlib_codec"),
        (b"# coding: no-such\n\xff", "nor can it be read as no-such"),
    ],
)
def test_other_bytes_are_a_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        decode(raw)
    assert reason in str(caught.value)


# Notebooks


def code(*cells: dict[str, object]) -> tuple[str, list[str]]:
    return code_of(json.dumps({"cells": [{"cell_type": "code", **cell} for cell in cells]}), ["answer"])


def test_code_cells_are_joined_without_magics() -> None:
    text, notes = code(
        {"source": ["%matplotlib inline\n", "!pip install \\\n", "  torch\n", "import torch\n"]},
        {"cell_type": "markdown", "source": "# Title"},
        {"source": "%%bash\nrm -rf /\n"},
        {"source": "%%time\nif True:\n    %timeit f()\nx = '''\n%d\n'''"},
        {"source": "y = (7\n% 4)"},
        {"source": "answer = [torch, y]"},
    )
    scope: dict[str, object] = {"torch": None}
    exec(compile(text.replace("import torch", ""), "nb", "exec"), scope)
    assert scope["answer"] == [None, 3]
    assert "rm -rf" not in text
    assert "pip" not in text
    assert notes == ["6 notebook command lines (% or !) left out"]


def test_nbgrader_s_own_tests_are_left_out() -> None:
    text, notes = code(
        {"source": "answer = 1", "metadata": {"nbgrader": {"grade": False, "solution": True}}},
        {"source": "answer = 2", "metadata": {"nbgrader": {"grade": True, "solution": False}}},
    )
    assert "answer = 1" in text
    assert "answer = 2" not in text
    assert notes == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "not json",
        '{"cells": 3}',
        "[" * 100_000,
        "1" * 100_000,
        '{"cells": [{"cell_type": "code", "source": 1}]}',
        '{"cells": [{"cell_type": "code", "source": "\\ud800"}]}',
    ],
)
def test_what_is_no_notebook_is_a_reason(text: str) -> None:
    with pytest.raises(Unreadable):
        code_of(text, [])


def test_a_notebook_may_be_larger_than_its_code(tmp_path: Path) -> None:
    picture = {"data": {"image/png": "A" * 3_000_000}}
    notebook = {"cells": [{"cell_type": "code", "source": "causal_mask = 1", "outputs": [picture]}]}
    put(tmp_path / "ada" / "ex2_attention.ipynb", json.dumps(notebook))
    assert "causal_mask = 1" in only(tmp_path).sources["ex2"]
    with pytest.raises(Unreadable, match="larger than 1 MB"):
        code({"source": "#" * (SOURCE_LIMIT + 1)})


def test_a_module_is_preferred_to_a_notebook(tmp_path: Path) -> None:
    put(tmp_path / "ada" / "ex2_attention.ipynb", "{}")
    put(tmp_path / "ada" / "deep" / "ex2_attention (1).py", "a = 1\n")
    submission = only(tmp_path)
    assert submission.sources["ex2"] == "a = 1\n"
    assert said(submission, "found 2 times")


# Zips


def test_a_zip_is_read_like_a_folder(tmp_path: Path) -> None:
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


def test_zip_slip_and_links_in_a_zip_lead_nowhere(tmp_path: Path) -> None:
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


def test_bombs_are_not_unpacked(tmp_path: Path) -> None:
    put_zip(tmp_path / "large.zip", {EX2: b"#" * (SOURCE_LIMIT + 1), "zeros.bin": b"\0" * 30_000_000})
    put_zip(tmp_path / "ratio.zip", {EX2: b"#" * 900_000})
    data = bytearray(put_zip(tmp_path / "liar.zip", {EX2: b"#" * 30_000_000}).read_bytes())
    for offset in (data.find(b"PK\1\2") + 24, 22):  # both headers now claim ten bytes
        data[offset : offset + 4] = (10).to_bytes(4, "little")
    (tmp_path / "liar.zip").write_bytes(data)
    reasons = {one.student: one.unreadable["ex2"] for one in find(tmp_path)}
    assert "larger than 1 MB" in reasons["large"]
    assert "unpacks to more than 500 times its size" in reasons["ratio"]
    assert "cannot be read from the zip" in reasons["liar"]


def test_too_many_members_and_too_large_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_zip(tmp_path / "many.zip", {f"{i}.txt": "" for i in range(50)})
    monkeypatch.setattr(archive, "MAX_MEMBERS", 20)
    assert said(only(tmp_path), "many.zip holds more than 20 files")
    monkeypatch.setattr(archive, "_MAX_PIECE", 1000)
    assert said(only(tmp_path), "many.zip is too large to be read")


def test_encrypted_unusual_and_nested_zips_are_explained(tmp_path: Path) -> None:
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
    by_name = {one.student: one for one in find(tmp_path)}
    assert said(by_name["nested"], "hand-in.zip is an archive inside the submission and was not opened")
    assert "is encrypted" in by_name["locked"].unreadable["ex2"]
    assert "compressed in an unusual way" in by_name["bz2"].unreadable["ex2"]
    assert said(by_name["broken"], "broken.zip is not a readable zip")


def test_a_damaged_zip_never_raises(tmp_path: Path) -> None:
    sound = put_zip(
        tmp_path / "in" / "ada.zip", {f"exercises/{EX2}": "x = 1\n" * 50, "a.txt": "b"}
    ).read_bytes()
    draw = random.Random(0)
    for _ in range(1500):
        data = bytearray(sound)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        (tmp_path / "in" / "ada.zip").write_bytes(data[: draw.choice([len(data), draw.randrange(len(data))])])
        submission = only(tmp_path / "in")
        assert submission.sources.keys() <= EXERCISES.keys()


# Names of folders to write to


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
def test_a_name_that_is_no_utf8_can_still_be_written_down(tmp_path: Path) -> None:
    os.mkdir(os.fsencode(tmp_path) + b"/zo\xeb")  # noqa: PTH102
    submission = only(tmp_path)
    assert submission.student == "zo\\xeb"
    assert submission.student.encode("utf-8")
