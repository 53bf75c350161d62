"""The files of a grading run, each written whole."""

from collections.abc import Mapping, Sequence
from pathlib import Path

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
    write_whole(folder / "report.html", report_html(result))
    write_whole(folder / "report.json", report_json(result))


def write_class(
    results: Sequence[StudentResult], folders: Mapping[str, str], out: Path, notes: Sequence[str] = ()
) -> None:
    """The files of the class; `folders` gives each student's folder in `out`, `notes` concern the run."""
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "grades.csv", grades_csv(results))
    write_whole(out / "misconceptions.json", misconceptions_json(results))
    write_whole(out / "index.html", index_html(results, folders, notes))
