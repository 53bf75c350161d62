"""The files of a grading run, each written whole."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.late import LatePolicy
from grader.reports.class_json import Member, class_json
from grader.reports.csv_report import grades_csv
from grader.reports.files import write_whole
from grader.reports.html import index_html, report_html
from grader.reports.json_report import report_json, timings_json
from grader.reports.misconceptions import misconceptions_json
from grader.results import StudentResult


def write_student(result: StudentResult, folder: Path) -> None:
    """One student's files; report.json comes last, so where it is, the others are too."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "timings.json", timings_json(result))
    write_report(result, folder)


def write_report(result: StudentResult, folder: Path) -> None:
    """A student's report, without what it took to make it."""
    write_whole(folder / "report.html", report_html(result))
    write_whole(folder / "report.json", report_json(result))


def write_class(
    results: Sequence[StudentResult],
    members: Sequence[Member],
    out: Path,
    notes: Sequence[str] = (),
    policy: LatePolicy | None = None,
) -> list[str]:
    """The files of the class. `members` are the students of the results; `notes` concern the run.

    Returns what the class's page tells about the run: of a late policy, too, and from where the times are.
    """
    out.mkdir(parents=True, exist_ok=True)
    folders = {member.student: member.folder for member in members}
    submitted = {member.student: member.submitted for member in members}
    lateness = {student: policy.lateness(time) for student, time in submitted.items()} if policy else None
    told = [*(policy.notes(submitted) if policy else ()), *notes]
    kept = [replace(each, keeps=lateness[each.student].factor if lateness else None) for each in members]
    write_whole(out / "class.json", class_json(kept, notes))
    write_whole(out / "grades.csv", grades_csv(results, lateness))
    write_whole(out / "misconceptions.json", misconceptions_json(results))
    write_whole(out / "index.html", index_html(results, folders, told, lateness))
    return told
