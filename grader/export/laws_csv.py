"""Every law of every student in one table, for spreadsheets."""

import csv
import io
from collections.abc import Sequence

from grader.reports.csv_report import spreadsheet_safe
from grader.reports.text import tidy
from grader.results import StudentResult


def laws_csv(results: Sequence[StudentResult]) -> str:
    """A line for each student and law."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["student", "exercise", "law", "title", "status", "score", "max_score"])
    for result in results:
        for id, exercise in result.exercises.items():
            for law in exercise.tests:
                text = [result.student, id, law.name, law.title, law.status]
                writer.writerow([*map(spreadsheet_safe, text), tidy(law.score), tidy(law.max_score)])
    return stream.getvalue()
