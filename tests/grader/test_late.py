"""The late policy: from raw points, in zones that are told, and computed again without grading."""

import csv
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.cli import main
from grader.exit_status import Unusable
from grader.late import LatePolicy, late_policy
from grader.reports.class_json import Member
from grader.reports.kept import read_report
from grader.reports.write import write_class, write_student
from grader.results import ExerciseResult, LawResult, Provenance, StudentResult
from grader.submissions.platforms import Submitted

CET = timezone(timedelta(hours=1))
DUE = datetime(2026, 12, 1, 23, 59, tzinfo=CET)


def policy(due: str = "2026-12-01T23:59+01:00", grace: str = "15m", penalty: str = "10%/day") -> LatePolicy:
    return late_policy(due, grace, penalty, None)


def at(time: datetime) -> Submitted:
    return Submitted(time, "the roster")


@pytest.mark.parametrize(
    ("after", "days"),
    [
        (timedelta(days=-3), 0),
        (timedelta(0), 0),
        (timedelta(minutes=15), 0),
        (timedelta(minutes=15, seconds=1), 1),
        (timedelta(days=1), 1),
        (timedelta(days=1, seconds=1), 2),
        (timedelta(days=30), 30),
    ],
)
def test_days_are_counted_as_begun_and_grace_costs_nothing(after: timedelta, days: int) -> None:
    late = policy().lateness(at(DUE + after))
    assert late.days == days
    assert late.final(80) == pytest.approx(80 * max(0, 1 - 0.1 * days))


@given(hours=st.floats(-1000, 1000), more=st.floats(0, 1000), points=st.floats(0, 100), percent=st.integers(0, 100))
def test_a_later_submission_never_gets_more_and_none_less_than_nothing(
    hours: float, more: float, points: float, percent: int
) -> None:
    rule = policy(penalty=f"{percent}%")
    earlier, later = (rule.lateness(at(DUE + timedelta(hours=h))).final(points) for h in (hours, hours + more))
    assert 0 <= later <= earlier <= points


@pytest.mark.parametrize("time", [datetime(1, 1, 1), datetime(9999, 12, 31, 23, 30, tzinfo=UTC)])
def test_a_time_at_the_ends_of_the_calendar_is_none(time: datetime) -> None:
    west = late_policy("2026-12-01T23:59", "0m", "10%", "-11:00")
    for each in (policy(), west):
        assert each.lateness(at(time)) == each.lateness(None)
        assert "1 without a known time" in each.notes({"ada": at(time)})[0]


def test_a_time_counts_as_the_moment_that_it_is() -> None:
    """The same moment, written in two zones, is as late; a day in which summer time ends is one day."""
    moment = datetime(2026, 12, 2, 0, 30, tzinfo=CET)
    assert policy().lateness(at(moment)).days == policy().lateness(at(moment.astimezone(UTC))).days == 1
    berlin = late_policy("2026-10-24T23:59", "0m", "10%", "Europe/Berlin")
    assert berlin.lateness(at(datetime(2026, 10, 25, 23, 59))).days == 1, "of 25 hours"
    assert berlin.lateness(at(datetime(2026, 10, 26, 0, 0))).days == 2


def test_times_without_a_zone_are_never_taken_silently() -> None:
    naive = at(datetime(2026, 12, 2, 0, 30))
    assert policy().lateness(naive).submitted == datetime(2026, 12, 2, 0, 30, tzinfo=CET)
    (told,) = policy().notes({"ada": naive, "bo": None, "cy": at(DUE)})
    assert "1 time without a zone, taken to be from UTC+01:00 (--zone says otherwise)" in told
    assert "1 without a known time, so not late" in told


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("soon", "0m", "10%", None), "--due soon: expected a time like"),
        (("2026-12-01T23:59", "0m", "10%", None), "--due 2026-12-01T23:59: where?"),
        (("2026-12-01T23:59+01:00", "15", "10%", None), "--grace 15: expected"),
        (("2026-12-01T23:59+01:00", "0m", "ten", None), "--penalty ten: expected"),
        (("2026-12-01T23:59+01:00", "0m", "101%", None), "--penalty 101%: expected"),
        (("2026-12-01T23:59", "0m", "10%", "Mars/Base"), "--zone Mars/Base: no such zone"),
    ],
)
def test_what_is_not_understood_is_one_sentence(options: tuple[str, str, str, str | None], words: str) -> None:
    with pytest.raises(Unusable) as caught:
        late_policy(*options)
    assert str(caught.value).startswith(words)


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    """A class of two with 10 of 20 points each; bo was a day late."""
    law = LawResult("a", "A", "p", "passed", 10, 10)
    exercises = {"ex2": ExerciseResult("ex2", "graded", (law, LawResult("b", "B", "p", "failed", 0, 10, "m", "c")))}
    provenance = Provenance("a" * 64, "b" * 64, 0, "cpu", "namespaces", {"torch": "2.13.0"})
    results = [StudentResult(student, exercises, provenance) for student in ("ada", "bo")]
    for result in results:
        write_student(result, tmp_path / result.student)
    times = (DUE - timedelta(hours=1), DUE + timedelta(hours=1))
    members = [Member(r.student, r.student, at(time)) for r, time in zip(results, times, strict=True)]
    write_class(results, members, tmp_path, ["notes.txt is a file"])
    return tmp_path


def rows(out: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((out / "grades.csv").read_text(encoding="utf-8").splitlines()))


def test_a_policy_is_applied_again_without_grading(graded: Path) -> None:
    """Reports stay as they are, and so do the points; the contract's columns come first."""
    before = {path: path.read_bytes() for path in graded.rglob("*") if path.parent != graded and path.is_file()}
    assert "final" not in rows(graded)[0]
    due = "2026-12-01T23:59+01:00"
    for penalty, final in (("10%/day", "9"), ("50%", "5"), ("0%", "10")):
        assert main(["late", str(graded), "--due", due, "--penalty", penalty]) == 0
        assert [(row["total"], row["days_late"], row["final"]) for row in rows(graded)] == [
            ("10", "0", "10"),
            ("10", "1", final),
        ]
    assert list(rows(graded)[0])[:8] == ["student", "total", "max", "ex1", "ex2", "ex3", "ex4", "ex5"]
    assert rows(graded)[1]["submitted"] == "2026-12-02T00:59:00+01:00"
    assert {path: path.read_bytes() for path in before} == before
    page = (graded / "index.html").read_text(encoding="utf-8")
    assert "Late policy: due 2026-12-01 23:59+01:00; 0 % is taken off per day begun" in page
    assert "notes.txt is a file" in page


def test_it_is_said_where_the_times_come_from(graded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["late", str(graded), "--due", "2026-12-01T23:59+01:00"]) == 0
    policy, *others = capsys.readouterr().out.splitlines()
    assert policy.startswith("Late policy: due 2026-12-01 23:59+01:00; 10 % is taken off per day begun; 2 times from ")
    assert others == ["notes.txt is a file", f"Grades: {graded / 'grades.csv'}"]


CANVAS = "Student,ID,SIS Login ID,ex2 (9),All (8)\nAda,1,ada,,\nBo,2,bo,,\nCy,3,cy,,\n"


def canvas(graded: Path, *options: str) -> int:
    (graded / "template.csv").write_text(CANVAS, encoding="utf-8")
    return main(["export", str(graded), "--to", "canvas", "--template", str(graded / "template.csv"), *options])


def test_a_gradebook_can_have_the_points_after_the_policy(graded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["late", str(graded), "--due", "2026-12-01T23:59+01:00"])
    capsys.readouterr()
    assert canvas(graded, "--column", "final=All") == 0
    filled = (graded / "exports" / "canvas.csv").read_text(encoding="utf-8")
    assert filled == CANVAS.replace("ada,,", "ada,10,10").replace("bo,,", "bo,10,9")
    assert capsys.readouterr().out.splitlines() == [
        "All is filled after the late policy, all other columns before it.",
        f"2 of 2 students got points: {graded / 'exports' / 'canvas.csv'}",
    ]
    assert canvas(graded) == 0
    assert (
        "all points are those before the late policy; --column final=HEADER writes those after it."
        in capsys.readouterr().out
    )


def test_who_is_not_of_the_class_has_no_final_points(graded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["late", str(graded), "--due", "2026-12-01T23:59+01:00"])
    left = read_report(graded / "bo" / "report.json")
    assert left is not None
    write_student(replace(left, student="cy"), graded / "cy")
    assert canvas(graded, "--column", "final=All") == 0
    assert "the late policy does not know: cy." in capsys.readouterr().out
    assert "cy,10,\n" in (graded / "exports" / "canvas.csv").read_text(encoding="utf-8")


def test_without_a_policy_there_are_no_final_points(graded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert canvas(graded, "--column", "final=All") == 2
    assert "--column final=HEADER: there is no late policy; `grader late OUT --due TIME`" in capsys.readouterr().err
    assert canvas(graded) == 0
    assert "late policy" not in capsys.readouterr().out


def test_a_roster_s_time_counts_first(graded: Path) -> None:
    roster = graded / "roster.csv"
    roster.write_text("id;submitted\nbo;2026-12-01T12:00+01:00\n", encoding="utf-8")
    assert main(["late", str(graded), "--due", "2026-12-01T23:59+01:00", "--roster", str(roster)]) == 0
    assert [row["days_late"] for row in rows(graded)] == ["0", "0"]


def test_where_nothing_was_graded_no_policy_can_be_applied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["late", str(tmp_path), "--due", "2026-12-01T23:59+01:00"]) == 2
    assert "holds no class that was graded" in capsys.readouterr().err
