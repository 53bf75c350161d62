"""grades.csv: one line per student, for spreadsheets and gradebooks."""

import csv
import io
from collections.abc import Mapping, Sequence

from grader.course import EXERCISES
from grader.late import Lateness
from grader.reports.text import one_line, tidy
from grader.results import ExerciseResult, StudentResult

# What begins a formula in some spreadsheet, blanks aside; the last four are full-width.
_FORMULA = tuple("=+-@\t\r＝＋－＠")


def grades_csv(results: Sequence[StudentResult], lateness: Mapping[str, Lateness] | None = None) -> str:
    """The text of grades.csv.

    `ex1` … hold the points, empty if the exercise was not graded in this run; `ex1_status` … tell an honest
    zero from an exercise that was not submitted or not started. With a late policy, `final` is what it leaves of
    `total`, which stays what was earned.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    heading = ["student", "total", "max", *EXERCISES, *(f"{name}_status" for name in EXERCISES)]
    writer.writerow([*heading, *(("submitted", "days_late", "final") if lateness is not None else ())])
    for result in results:
        exercises = [result.exercises.get(name) for name in EXERCISES]
        points = ["" if exercise is None else tidy(exercise.score) for exercise in exercises]
        row = [spreadsheet_safe(result.student), tidy(result.score), tidy(result.max_score), *points]
        row += [_status(exercise) for exercise in exercises]
        if lateness is not None:
            late = lateness[result.student]
            time = late.submitted.isoformat(timespec="seconds") if late.submitted else ""
            row += [time, late.days, tidy(late.final(result.score))]
        writer.writerow(row)
    return stream.getvalue()


def spreadsheet_safe(text: str) -> str:
    """`text` with an apostrophe before it where a spreadsheet would run it as a formula."""
    shown = one_line(text)
    return f"'{shown}" if shown.lstrip(" ").startswith(_FORMULA) else shown


def _status(exercise: ExerciseResult | None) -> str:
    if exercise is None:
        return ""
    if exercise.tests and all(law.status == "not_started" for law in exercise.tests):
        return "not_started"
    return exercise.status
