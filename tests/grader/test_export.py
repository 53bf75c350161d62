"""`grader export`: what each platform gets is what that platform says it reads."""

import base64
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.cli import main
from grader.course import EXERCISES, SOLUTIONS
from grader.export.table import NotATable, Table
from grader.reports.write import write_student
from grader.results import ExerciseResult, LawResult, LawStatus, Provenance, StudentResult

STATUSES: tuple[LawStatus, ...] = ("passed", "failed", "not_started", "error", "timeout", "out_of_memory")
EVIL = "=cmd|'/c calc'!A1 <b>\x00\x1b[31m\u202e ]]>"

# https://gradescope-autograders.readthedocs.io/en/latest/specs/
GRADESCOPE_TOP = {
    *("score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility"),
    *("stdout_visibility", "extra_data", "tests", "leaderboard"),
}
GRADESCOPE_TEST = {
    *("score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags"),
    *("visibility", "extra_data"),
}
GRADESCOPE_WHEN = {"hidden", "after_due_date", "after_published", "visible"}

# Jenkins' junit-10.xsd: attributes that must be there, those that may, and children.
JUNIT: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": ({"name"}, {"time", "classname", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "failure": (set(), {"type", "message"}, set()),
    "error": (set(), {"type", "message"}, set()),
}

# Canvas' gradebook_importer.rb: the columns before the assignments, in this order; then a row of posting policies
# (blank otherwise), one of points possible, where "(read only)" marks what Canvas computes itself, then the students.
CANVAS = (
    b'\xef\xbb\xbf"Student",ID,SIS User ID,SIS Login ID,Section,'
    b'"ex1 (901)",Multi-head attention (903),Quiz (7),Final Score\r\n'
    b",,,,,Manual Posting,,,\r\n"
    b'"    Points Possible",,,,,12,12,5,(read only)\r\n'
    b'"Lovelace, Ada",42,u42,ada@school.org,S1,"",,4,"7,5"\r\n'
    b"Zoe [2] (late)+a,43,u43,zoe,S1,3,EX,,\r\n"
    b"No Report,44,u44,none,S1,1,2,3,4"
)
# Moodle's grade export: a user's columns, then one per grade item, called by kind, name and number format.
MOODLE = (
    b"First name;Last name;ID number;Email address;Assignment: ex2 (Real);Course total (Real)\n"
    b"Ada;Lovelace;;ada@school.org;-;12\nZoe;Other;9;zoe@other.org;-;3\n"
)
# Moodle's offline grading worksheet (assignfeedback_offline): Identifier ends in the participant's number.
WORKSHEET = (
    b"Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (grade)\n"
    b'"Participant 7","Grace Hopper",g@h.org,Submitted,,60.00,"Monday, 1 June 2026, 9:00 AM"\n'
)


def laws(id: str) -> tuple[LawResult, ...]:
    """A law of each status, two points each."""
    return tuple(
        LawResult(
            name=f"{id}_law_{status}",
            title=f"a law, {status}",
            property="p",
            status=status,
            score=2.0 * (status == "passed"),
            max_score=2.0,
            message="" if status == "passed" else f"It holds.\nBut: {EVIL}\nLook at: line 1",
            case=EVIL,
            drawings=({"weights": [["0.5", "0.5"]]},),
        )
        for status in STATUSES
    )


def student(name: str, isolation: str = "landlock") -> StudentResult:
    """2 of 12 points in each exercise."""
    exercises = {id: ExerciseResult(id, "graded", laws(id), notes=("a note",)) for id in EXERCISES}
    return StudentResult(name, exercises, Provenance("0" * 64, "1" * 64, 0, "cpu", isolation, {"torch": "2"}))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The reports of three students."""
    for folder, name in (("ada", "ada"), ("zoe", "Zoe [2] (late)+a"), ("grace", "Grace Hopper_7")):
        write_student(student(name), tmp_path / folder)
    return tmp_path


def export(out: Path, *arguments: str) -> Path:
    """The folder of exports, after one."""
    assert main(["export", str(out), "--to", *arguments]) == 0
    return out / "exports"


def filled(out: Path, platform: str, template: bytes, *arguments: str) -> tuple[bytes, str]:
    path = out / "template.csv"
    path.write_bytes(template)
    return (export(out, platform, "--template", str(path), *arguments) / f"{platform}.csv").read_bytes(), str(path)


def test_gradescope_gets_results_of_its_published_format(out: Path) -> None:
    result: dict[str, Any] = json.loads((export(out, "gradescope") / "gradescope" / "ada.json").read_text("utf-8"))
    assert set(result) <= GRADESCOPE_TOP
    assert result["output_format"] == "text"
    assert "isolation: landlock" in result["output"]
    assert len(result["tests"]) == len(EXERCISES) * len(STATUSES)
    for test in result["tests"]:
        assert set(test) <= GRADESCOPE_TEST
        assert test["status"] in ("passed", "failed")
        assert (test["status"] == "passed") == (test["score"] == test["max_score"] == 2)
        assert test["visibility"] in GRADESCOPE_WHEN
        assert all(isinstance(tag, str) for tag in test["tags"])
    assert result["score"] == sum(test["score"] for test in result["tests"]) == 10


def test_each_law_is_seen_when_the_narrowest_choice_says(out: Path) -> None:
    choices = ["after_due_date", "ex2=hidden", "ex2_law_passed=visible"]
    folder = export(out, "gradescope", *(part for choice in choices for part in ("--visibility", choice)))
    seen = {
        test["tags"][1]: test["visibility"]
        for test in json.loads((folder / "gradescope" / "ada.json").read_text("utf-8"))["tests"]
    }
    assert {when for name, when in seen.items() if not name.startswith("ex2")} == {"after_due_date"}
    assert seen["ex2_law_passed"] == "visible"
    assert seen["ex2_law_failed"] == "hidden"


@pytest.mark.skipif(sys.platform != "linux", reason="Gradescope's images are Linux")
def test_the_autograder_zip_grades_a_submission_where_it_is_unpacked(out: Path, tmp_path: Path) -> None:
    zipped = export(out, "gradescope", "--visibility", "hidden") / "gradescope" / "autograder.zip"
    root = tmp_path / "autograder"
    for folder in ("source", "submission", "results", "venv/bin"):
        (root / folder).mkdir(parents=True)
    with zipfile.ZipFile(zipped) as archive:
        assert not [name for name in archive.namelist() if "__pycache__" in name or "tests/grader" in name]
        modes = {name: archive.getinfo(name).external_attr >> 16 for name in ("setup.sh", "run_autograder")}
        archive.extractall(root / "source")
    assert all(mode & 0o111 for mode in modes.values())
    run = root / "source" / "run_autograder"
    run.chmod(0o755)
    installed = root / "venv" / "bin" / "grader"
    installed.write_text(f'#!/bin/sh\nexec {sys.executable} -m grader.cli "$@"\n', encoding="utf-8")
    installed.chmod(0o755)
    shutil.copy(SOLUTIONS / EXERCISES["ex1"].filename, root / "submission")
    done = subprocess.run(
        [run], env={**os.environ, "AUTOGRADER_ROOT": str(root), "PYTHONPATH": ""}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    result = json.loads((root / "results" / "results.json").read_text("utf-8"))
    assert result["score"] == 20
    assert {test["visibility"] for test in result["tests"]} == {"hidden"}


def test_canvas_gets_its_own_file_back_with_the_points_in_it(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, _ = filled(out, "canvas", CANVAS)
    assert content == CANVAS.replace(b'S1,"",,4', b'S1,"2",2,4').replace(b"S1,3,EX", b"S1,2,EX")
    assert capsys.readouterr().out.splitlines() == [
        "Zoe [2] (late)+a is excused from ex3, and was left alone there.",
        "no row of the template, or more than one, fits: Grace Hopper_7.",
        f"2 of 3 students got points: {out / 'exports' / 'canvas.csv'}",
    ]


def test_moodle_gets_its_own_file_back_with_the_points_in_it(out: Path) -> None:
    content, _ = filled(out, "moodle", MOODLE)
    assert content == MOODLE.replace(b"ada@school.org;-", b"ada@school.org;2")


def test_moodles_worksheet_goes_by_the_participants_number(out: Path) -> None:
    content, _ = filled(out, "moodle", WORKSHEET, "--column", "total=Grade")
    assert content == WORKSHEET.replace(b"Submitted,,", b"Submitted,10,")


def test_a_column_with_another_maximum_is_left_alone(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = CANVAS.replace(b",12,12,5,", b",12,20,5,")
    content, _ = filled(out, "canvas", template)
    assert content == template.replace(b'S1,"",,4', b'S1,"2",,4').replace(b"S1,3,EX", b"S1,2,EX")
    assert "Multi-head attention (903) was left alone: its maximum is 20, that of ex3 is 12." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["canvas"], "needs --template"),
        (["canvas", "--template", "T", "--column", "ex1=Nowhere"], "no column is called 'Nowhere'; there are: Student"),
        (["canvas", "--template", "T", "--column", "ex9=Quiz"], "write ex1=HEADER"),
        (["canvas", "--template", "missing.csv"], "No such file"),
        (["gradescope", "--visibility", "ex9=hidden"], "no exercise and no law is called 'ex9'"),
        (["gradescope", "--visibility", "ex1=later"], "must end in one of"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    out: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    (out / "T").write_bytes(CANVAS)
    assert main(["export", str(out), "--to", *(str(out / "T") if part == "T" else part for part in arguments)]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert len(told.splitlines()) == 1


def test_namesakes_get_no_points_by_name(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_student(student("No Report"), out / "namesake")
    template = CANVAS + b"\r\nNo Report,45,,,S2,,,,\r\n"
    content, _ = filled(out, "canvas", template)
    assert b"No Report,44,u44,none,S1,1,2,3,4\r\nNo Report,45,,,S2,,,,\r\n" in content
    assert "No Report (several rows)" in capsys.readouterr().out


def test_two_students_never_share_a_row(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_student(student("u42"), out / "twice")
    content, _ = filled(out, "canvas", CANVAS)
    assert b'S1,"",,4' in content
    assert "ada (a row that fits others, too)" in capsys.readouterr().out


def test_a_number_of_a_download_is_not_taken_for_another_kind_of_number(out: Path) -> None:
    """`Grace Hopper_7` is participant 7, not whose ID number is 7."""
    template = MOODLE.replace(b"Zoe;Other;9", b"Zoe;Other;7")
    content, _ = filled(out, "moodle", template)
    assert b"Zoe;Other;7;zoe@other.org;-;3" in content


@settings(database=None, deadline=None, max_examples=60)
@given(st.lists(st.lists(st.text('ab,;"\n\r\t é=', max_size=6), min_size=1, max_size=4), min_size=1, max_size=4))
def test_a_table_that_nobody_wrote_to_is_the_same_bytes(rows: list[list[str]]) -> None:
    quoted = "\r\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    table = Table.parse(b"\xef\xbb\xbf" + quoted.encode())
    assert table.content() == b"\xef\xbb\xbf" + quoted.encode()
    assert [table.row(i)[: len(row)] for i, row in enumerate(rows)] == rows


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"a,b\nx\xff,1\n", "not UTF-8"), (b'a,b\n1,2\n"x"y,1\n', "not CSV in line 3"), (b"", "empty")],
)
def test_what_is_no_table_is_said(content: bytes, words: str) -> None:
    with pytest.raises(NotATable, match=words):
        Table.parse(content)


def test_junit_xml_follows_the_schema_of_jenkins(out: Path) -> None:
    folder = export(out, "junit") / "junit"
    assert sorted(path.name for path in folder.iterdir()) == ["ada.xml", "grace.xml", "zoe.xml"]
    root = ElementTree.fromstring((folder / "ada.xml").read_bytes())
    assert root.tag == "testsuites"
    for element in root.iter():
        must, may, children = JUNIT[element.tag]
        assert must <= set(element.attrib) <= must | may
        assert {child.tag for child in element} <= children
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases) == len(STATUSES)
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure")) == 2
        assert int(suite.attrib["errors"]) == len(suite.findall("testcase/error")) == 3


def test_github_classrooms_reporter_counts_the_points(out: Path) -> None:
    """As its main.js and notify-classroom.js read it: base64 of JSON in a variable that Linux limits to 128 kB."""
    text = (export(out, "github") / "github" / "ada.json").read_text("utf-8")
    variable = base64.b64encode(text.encode())
    assert len(variable) < 100_000
    result = json.loads(base64.b64decode(variable))
    assert result["version"] == 1
    assert result["status"] in ("pass", "fail", "error")
    assert (sum(test["score"] for test in result["tests"]), result["max_score"]) == (10, 60)
    for test in result["tests"]:
        assert test["status"] in ("pass", "fail")
        assert test["message"] or test["status"] == "pass"


def test_the_table_of_laws_runs_nothing_in_a_spreadsheet(out: Path) -> None:
    write_student(student('=HYPERLINK("http://x")'), out / "evil")
    with (export(out, "csv") / "laws.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4 * len(EXERCISES) * len(STATUSES)
    assert {row["student"] for row in rows} == {"ada", "Zoe [2] (late)+a", "Grace Hopper_7", '\'=HYPERLINK("http://x")'}
    assert not [cell for row in rows for cell in row.values() if re.match(r"\s*[=+\-@]", cell)]


def test_no_report_is_one_sentence_and_a_broken_one_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(tmp_path), "--to", "csv"]) == 2
    assert "there are no reports in" in capsys.readouterr().err
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "report.json").write_text("{", encoding="utf-8")
    assert main(["export", str(tmp_path), "--to", "csv"]) == 2
    assert "grade that student again" in capsys.readouterr().err


def test_a_name_that_is_one_student_s_login_and_another_s_number_gets_nothing(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("1042", "lee_12"):
        write_student(student(name), out / name)
    template = (
        b"Student,ID,SIS User ID,SIS Login ID,Section,ex2 (902)\n"
        b'"Right, Rita",77,1042,rita,S1,\n"Wrong, Will",1042,u2,will,S1,\n'
        b'"Lee, Lee",78,u3,lee_12,S1,\n"Wrong, Wendy",12,u4,wendy,S1,\n"Lovelace, Ada",42,u5,ada,S1,\n'
    )
    content, _ = filled(out, "canvas", template)
    assert content == template.replace(b"u5,ada,S1,", b"u5,ada,S1,2")
    assert "fits: 1042 (several rows), Grace Hopper_7, lee_12 (several rows), Zoe" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (["total=ID"], "the column 'ID' says whose a row is: no points go there"),
        (["ex2=Email address"], "the column 'Email address' says whose a row is"),
        (["ex1=Assignment: ex2 (Real)", "ex2=Assignment: ex2 (Real)"], "ex1 and ex2 cannot both go into the column"),
        (["total=Assignment: ex2 (Real)", "ex2=ex2"], "total and ex2 cannot both go into the column 'ex2'"),
    ],
)
def test_no_column_takes_two_marks_or_says_whose_a_row_is(
    out: Path, capsys: pytest.CaptureFixture[str], columns: list[str], words: str
) -> None:
    platform = "canvas" if "ID" in columns[0] else "moodle"
    (out / "template.csv").write_bytes(CANVAS if platform == "canvas" else MOODLE)
    arguments = [part for column in columns for part in ("--column", column)]
    assert main(["export", str(out), "--to", platform, "--template", str(out / "template.csv"), *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (out / "exports").exists()


def test_a_column_that_was_chosen_for_one_mark_is_not_found_for_another(out: Path) -> None:
    content, _ = filled(out, "moodle", MOODLE, "--column", "total=Assignment: ex2 (Real)")
    assert content == MOODLE.replace(b"ada@school.org;-", b"ada@school.org;10")


@pytest.mark.parametrize(
    "arguments", [["csv", "--template", "t.csv"], ["junit", "--column", "ex1=A"], ["canvas", "--visibility", "hidden"]]
)
def test_an_option_of_another_platform_is_refused(
    out: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(out), "--to", *arguments]) == 2
    assert f"{arguments[1]} is for --to " in capsys.readouterr().err


def test_a_gradebook_in_which_no_one_is_found_is_a_fault(out: Path) -> None:
    (out / "template.csv").write_bytes(b"First name;Last name;ID number;Email address;Assignment: ex2 (Real)\n")
    assert main(["export", str(out), "--to", "moodle", "--template", str(out / "template.csv")]) == 1
