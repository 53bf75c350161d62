"""`grader collect`: zips as learning platforms name them, taken in as they are, with what does not fit said."""

import argparse
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from grader.cli import main
from grader.course import EXERCISES, EXERCISES_DIR
from grader.submit import submit_command

PACKED = "submission.zip"


@pytest.fixture
def inbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one zip in it, packed from the skeletons and named after the student."""
    monkeypatch.chdir(EXERCISES_DIR.parent)
    folder = tmp_path / "inbox"
    folder.mkdir()
    submit_command(argparse.Namespace(out=folder / "ada.zip"))
    return folder


def edit(zipped: Path, name: str, content: str | None) -> None:
    """Put `content` into a member of a zip, or take the member out."""
    with zipfile.ZipFile(zipped) as archive:
        members = {member: archive.read(member) for member in archive.namelist() if member != name}
    with zipfile.ZipFile(zipped, "w") as archive:
        for member, kept in members.items():
            archive.writestr(member, kept)
        if content is not None:
            archive.writestr(name, content)


def collect(inbox: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What `grader collect` says, and the count at its end."""
    capsys.readouterr()
    assert main(["collect", str(inbox), "-o", str(inbox.parent / "class")]) == 0
    return capsys.readouterr().out.splitlines()[:-1]


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("ada.zip", "ada"),
        ("ada/submission.zip", "ada"),
        ("ada/submission (2).zip", "ada"),
        ("Ada Lovelace_1042_assignsubmission_file_/submission.zip", "Ada Lovelace_1042"),
        ("Zoë_de_Vries_7_assignsubmission_file_submission.zip", "Zoë_de_Vries_7"),
        ("lovelaceada_1042_99887_submission.zip", "lovelaceada_1042"),
        ("lovelaceada_LATE_1042_99887_submission-1.zip", "lovelaceada_1042"),
        ("Zoe_9_assignsubmission_file_/Grace_7_assignsubmission_file_x.zip", "Zoe_9"),
        ("Zoe_9_assignsubmission_file_/Grace_7_assignsubmission_file_/submission.zip", "Zoe_9"),
        ("HW_zoe_attempt_2026-11-29-11-00-00_x_grace_attempt_2026-11-30-10-00-00_submission.zip", "zoe"),
        ("week 1/ada.zip", "ada"),
        ("submission.zip", None),
    ],
)
def test_whose_a_zip_is_follows_from_its_name_or_folder(inbox: Path, path: str, student: str | None) -> None:
    (inbox / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.move(inbox / "ada.zip", inbox / path)
    main(["collect", str(inbox), "-o", str(inbox.parent / "class")])
    assert [zipped.stem for zipped in inbox.parent.glob("class/*.zip")] == ([student] if student else [])


def test_a_packed_zip_is_taken_in_byte_by_byte_and_nothing_is_said(
    inbox: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert collect(inbox, capsys) == []
    assert (inbox.parent / "class" / "ada.zip").read_bytes() == (inbox / "ada.zip").read_bytes()


@pytest.mark.parametrize(
    ("member", "content", "remark"),
    [
        ("ex2_attention.py", "# other", "ada: ex2_attention.py was edited after `grader submit`."),
        ("ex2_attention.py", None, "ada: ex2_attention.py was taken out after `grader submit`."),
        ("b/ex2_attention.ipynb", "{}", "ada: b/ex2_attention.ipynb was added after `grader submit`."),
        ("manifest.json", None, "ada: it is taken, but `grader submit` did not make it: there is no manifest."),
        ("manifest.json", "[" * 9999, "ada: the manifest cannot be read: it was edited after `grader submit`."),
        ("manifest.json", '{"files": 3}', "ada: the manifest cannot be read: it was edited after `grader submit`."),
    ],
)  # fmt: skip
def test_what_was_edited_afterwards_is_said_and_never_refused(
    inbox: Path, capsys: pytest.CaptureFixture[str], member: str, content: str | None, remark: str
) -> None:
    edit(inbox / "ada.zip", member, content)
    assert collect(inbox, capsys) == [remark]
    assert (inbox.parent / "class" / "ada.zip").read_bytes() == (inbox / "ada.zip").read_bytes()


def test_a_manifest_that_lies_about_everything_changes_no_more_than_what_is_said(
    inbox: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lies = {"files": {exercise.filename: "0" * 64 for exercise in EXERCISES.values()}, "score": 100}
    edit(inbox / "ada.zip", "manifest.json", json.dumps(lies))
    assert len(collect(inbox, capsys)) == len(EXERCISES)


def test_of_very_many_remarks_the_first_and_a_count_are_told(inbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(inbox / "ada.zip", "a") as archive:
        for number in range(500):
            archive.writestr(f"{number}/ex2_attention.py", "")
    remarks = collect(inbox, capsys)
    assert len(remarks) < 30
    assert remarks[-1].endswith("more of this kind.")


def test_what_is_no_zip_is_taken_in_too_with_a_remark(inbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inbox / "grace.zip").write_text("not a zip", encoding="utf-8")
    (remark,) = collect(inbox, capsys)
    assert remark.startswith("grace: the zip is not a readable zip")
    assert (inbox.parent / "class" / "grace.zip").is_file()


def test_a_second_zip_of_one_student_is_said(inbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inbox / "ada").mkdir()
    (inbox / "ada" / PACKED).write_bytes((inbox / "ada.zip").read_bytes())
    (remark,) = collect(inbox, capsys)
    assert remark.startswith("ada: sent more than once: ")


@pytest.mark.parametrize(
    ("files", "remarks"),
    [
        (
            ["grace/submission.zip", "zoe/grace.zip"],
            ["zoe: {in}/zoe/grace.zip is theirs by its folder, not by its name."],
        ),
        (
            ["grace/submission.zip", "zoe/a.zip", "zoe/grace.zip"],
            ["grace: sent more than once: {in}/grace/submission.zip is taken, not {in}/zoe/grace.zip."],
        ),
        (
            ["grace/submission.zip", "zoe/grace/submission.zip", "zoe/submission.zip"],
            ["grace: sent more than once: {in}/grace/submission.zip is taken, not {in}/zoe/grace/submission.zip."],
        ),
        (
            ["grace/grace.zip", "zoe/GRACE.zip"],
            ["GRACE: sent more than once: {in}/grace/grace.zip is taken, not {in}/zoe/GRACE.zip."],
        ),
    ],
)
def test_a_folder_with_the_student_s_name_goes_before_a_zip_with_it(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    files: list[str],
    remarks: list[str],
) -> None:
    inbox = tmp_path / "inbox"
    for file in files:
        (inbox / file).parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(inbox / file, "w") as archive:
            archive.writestr("manifest.json", '{"files": {}}')
            archive.writestr("whose.txt", file)
    assert collect(inbox, capsys) == [remark.replace("{in}", str(inbox)) for remark in remarks]
    monkeypatch.chdir(inbox)
    assert main(["collect", ".", "-o", "../here"]) == 0
    for out in ("class", "here"):
        with zipfile.ZipFile(tmp_path / out / "grace.zip") as archive:
            assert archive.read("whose.txt").decode() == files[0]


def test_of_two_sources_alike_the_later_named_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However deep the sources themselves lie."""
    sources = [tmp_path / "old", tmp_path / "a" / "b" / "new"]
    for source in sources:
        (source / "ada").mkdir(parents=True)
        (source / "ada" / PACKED).write_text(source.name, encoding="utf-8")
    for first, second in (sources, sources[::-1]):
        assert main(["collect", str(first), str(second), "-o", str(tmp_path / "class")]) == 0
        assert f"{second / 'ada' / PACKED} is taken, not {first}" in capsys.readouterr().out
        assert (tmp_path / "class" / "ada.zip").read_text(encoding="utf-8") == second.name


def test_of_a_platform_s_attempts_the_last_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever is named first."""
    last, first = (tmp_path / f"HW_ada_attempt_2026-11-{day}-10-00-00_x.zip" for day in (29, 28))
    for path in (last, first):
        path.write_text(path.name, encoding="utf-8")
    assert main(["collect", str(last), str(first), "-o", str(tmp_path / "class")]) == 0
    assert f"{last} is taken, not {first}" in capsys.readouterr().out
    assert (tmp_path / "class" / "ada.zip").read_text(encoding="utf-8") == last.name


def test_users_of_blackboard_with_one_last_word_each_keep_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor are numbers in the name of an assignment a student of Canvas."""
    paths = [
        tmp_path / f"HW_2026_101_{user}_attempt_2026-11-28-10-00-00_x.zip" for user in ("j_smith", "k_smith", "ada")
    ]
    for path in paths:
        path.write_text(path.name, encoding="utf-8")
    assert main(["collect", *map(str, paths), "-o", str(tmp_path / "class")]) == 0
    assert "more than once" not in capsys.readouterr().out
    taken = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "class").iterdir()}
    students = ("HW_2026_101_j_smith", "HW_2026_101_k_smith", "ada")
    assert taken == {student: path.name for student, path in zip(students, paths, strict=True)}


def test_names_never_reach_the_terminal_or_the_disk_raw(inbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inbox / "ada.zip").rename(inbox / "submission\x1b[5m.zip")
    edit(inbox / "submission\x1b[5m.zip", "ex2_attention.py", "# other")
    edit(inbox / "submission\x1b[5m.zip", f"\x1b[2J{'d' * 60_000}/ex2_attention.py", "# other")
    (inbox / "f\x1b[31m").mkdir()
    (inbox / "f\x1b[31m" / PACKED).write_text("no zip\n", encoding="utf-8")
    (inbox / "\x1b").mkdir()
    (inbox / "\x1b" / "ex2_attention.py").write_text("", encoding="utf-8")
    lines = collect(inbox, capsys)
    assert len(lines) == 4
    assert all(line.isprintable() and len(line) < 600 for line in lines)
    assert lines[0].startswith("f\\u001b[31m: the zip is not")
    assert all(path.name.isprintable() for path in (inbox.parent / "class").iterdir())
    (inbox / "submission\x1b[5m.zip").unlink()
    shutil.rmtree(inbox / "f\x1b[31m")
    assert main(["collect", str(inbox), "-o", str(inbox.parent / "class")]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_a_newer_zip_takes_the_place_of_one_taken_in_before(inbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collect(inbox, capsys)
    edit(inbox / "ada.zip", "notes.txt", "an attempt later")
    (remark,) = collect(inbox, capsys)
    assert "is replaced by" in remark


def test_notebooks_and_modules_in_no_zip_are_said(inbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a class that hands in notebooks there is nothing to collect: `grader grade` takes them."""
    loose = inbox / "lovelaceada_1042_99887_ex2_attention.ipynb"
    folder = inbox / "bo" / "ex2_attention"
    folder.mkdir(parents=True)
    (folder / "ex2_attention.ipynb").write_text("{}", encoding="utf-8")
    hint = f"{folder / 'ex2_attention.ipynb'} is in no zip; `grader grade` takes a folder of such files as it is."
    assert collect(inbox, capsys) == [hint]
    (inbox / "ada.zip").unlink()
    shutil.rmtree(inbox / "bo")
    loose.write_text("{}", encoding="utf-8")
    assert main(["collect", str(inbox), "-o", str(inbox.parent / "other")]) == 2
    assert capsys.readouterr().err == (
        f"grader: there is no student's zip in what was named. {loose} is in no zip; "
        "`grader grade` takes a folder of such files as it is.\n"
    )


def test_nothing_to_take_in_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", str(tmp_path), "-o", str(tmp_path / "class")]) == 2
    assert capsys.readouterr().err == "grader: there is no student's zip in what was named.\n"
    assert main(["collect", str(tmp_path / "nowhere"), "-o", str(tmp_path / "class")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_submissions_do_not_go_where_they_come_from(inbox: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", str(inbox), "-o", str(inbox)]) == 2
    assert "cannot go where they come from" in capsys.readouterr().err
    assert [path.name for path in inbox.iterdir()] == ["ada.zip"]
