"""What a run says in the terminal: how far it is, and about students and class."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from grader.reports.tally import tally
from grader.reports.text import one_line, share, some, tidy
from grader.results import ExerciseResult, StudentResult
from grader.submissions.candidates import at_most

BAR_WIDTH = 10
NAME_WIDTH = 24
FULL, EMPTY = "█", "░"
_MOST_NAMES = 5


class Terminal(Console):
    """Plain lines as wide as they are; a reader such as `head` may leave when it has seen enough."""

    def __init__(self) -> None:
        super().__init__(highlight=False, soft_wrap=True)

    def on_broken_pipe(self) -> None:
        """Say the rest to nobody: the work is not done for the reader of these lines."""
        nobody = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nobody, sys.stdout.fileno())
        os.close(nobody)


def student_line(result: StudentResult) -> Text:
    """One student: name, bar, total, points per exercise (`–`: not submitted), and a mark if there are notes."""
    name = Text(one_line(result.student))
    name.truncate(NAME_WIDTH, overflow="ellipsis", pad=True)
    filled = int(BAR_WIDTH * share(result.score, result.max_score) / 100)
    line = Text.assemble(name, " ", (FULL * filled, "cyan"), (EMPTY * (BAR_WIDTH - filled), "dim"))
    line.append(f" {tidy(result.score):>5} of {tidy(result.max_score)}", "bold")
    for exercise_id, exercise in result.exercises.items():
        line.append(f"   {exercise_id} ", "dim")
        line.append(f"{_points(exercise):>4}", "dim" if exercise.status == "not_submitted" else "")
    if result.remarks:
        line.append("   !", "yellow")
    return line


def class_summary(results: Sequence[StudentResult], out: Path, notes: Sequence[str] = ()) -> None:
    """A line per student, the first of what was noted, the class in one sentence, and where the reports are."""
    console = Terminal()
    for result in results:
        console.print(student_line(result))
    of_whom: dict[str, list[str]] = {}
    for result in results:
        for remark in result.remarks:
            of_whom.setdefault(remark, []).append(result.student)
    by_students = [f"{some(students, _MOST_NAMES)}: {remark}" for remark, students in of_whom.items()]
    if told := [*at_most(notes), *at_most(by_students)]:
        console.print()
        for line in told:
            console.print(Text(f"! {one_line(line)}", "yellow"))
    numbers = tally(results)
    students = f"{numbers.students} student{'s' * (numbers.students != 1)}"
    averages = f"mean {tidy(round(numbers.mean, 1))}, median {tidy(round(numbers.median, 1))}"
    console.print()
    console.print(Text(f"{students}: {averages} of {tidy(numbers.max_score)}", "bold"))
    console.print(Text(f"Reports: {out / 'index.html'}"))
    console.print(Text(f"Grades:  {out / 'grades.csv'}"))


def progress_bar(console: Console) -> Progress:
    """A bar with the time left. It is refreshed by hand: a thread of its own would not survive the forks."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        console=console,
        auto_refresh=False,
        transient=True,
    )


def _points(exercise: ExerciseResult) -> str:
    return "–" if exercise.status == "not_submitted" else str(tidy(exercise.score))
