"""The marks of a run in nbgrader's gradebook, cell by cell, through nbgrader's own API.

They go to the very cells that `nbgrader autograde` fills, so that export, formgrader and feedback show them; whoever
writes last decides, and a mark given by hand stays above both. nbgrader is not needed for anything else here.
"""

import importlib.util
import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.course import ASSIGNMENTS, EXERCISES
from grader.exit_status import Unusable
from grader.results import ExerciseResult, StudentResult


def check_gradebook(url: str) -> None:
    """`Unusable` unless there is, or can be, a gradebook at `url`, such as "sqlite:///gradebook.db"."""
    if importlib.util.find_spec("nbgrader") is None:
        raise Unusable("--gradebook needs nbgrader: pip install -e '.[nbgrader]'")
    write_gradebook(url, [])


def write_gradebook(url: str, results: Iterable[StudentResult]) -> int:
    """Write the score of each law of each exercise that was handed in to its cell; the number of scores.

    An assignment that the gradebook does not know yet is entered with its cells. `Unusable` if it knows the
    assignment with other cells, or cannot be opened.
    """
    from nbgrader.api import Gradebook, MissingEntry
    from sqlalchemy.exc import SAWarning, SQLAlchemyError

    # nbgrader calls `alembic`, which is installed beside it, by its bare name.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    written = 0
    try:
        with warnings.catch_warnings(action="ignore", category=SAWarning), Gradebook(url) as book:  # nbgrader's own
            for result in results:
                for graded in result.exercises.values():
                    if graded.status == "graded":
                        written += _write(book, url, result.student, graded)
            book.db.commit()
    except MissingEntry as error:
        raise Unusable(
            f"{url} knows other cells than this course has ({error}); generate the assignment anew, with nbgrader."
        ) from None
    except SQLAlchemyError as error:
        raise Unusable(f"--gradebook {url}: {str(error).splitlines()[0]}") from None
    return written


def _write(book: Any, url: str, student: str, graded: ExerciseResult) -> int:
    name = EXERCISES[graded.exercise].module  # of the assignment, and of its one notebook
    if name not in {assignment.name for assignment in book.assignments}:
        _enter_assignment(book, url, name)
    book.update_or_create_student(student)
    book.update_or_create_submission(name, student)
    for law in graded.tests:
        grade = book.find_grade(law.name, name, name, student)
        grade.auto_score, grade.needs_manual_grade = law.score, False
    return len(graded.tests)


def _enter_assignment(book: Any, url: str, name: str) -> None:
    """Enter an assignment as `nbgrader generate_assignment` does: once there are submissions, its cells are fixed."""
    import nbformat
    from nbgrader.preprocessors import ClearSolutions, ComputeChecksums, LockCells, SaveCells

    book.update_or_create_assignment(name)
    notebook = nbformat.read(ASSIGNMENTS / "source" / name / f"{name}.ipynb", as_version=nbformat.current_nbformat)
    resources = {"nbgrader": {"notebook": name, "assignment": name, "db_url": url}}
    for step in (ClearSolutions(), LockCells(), ComputeChecksums(), SaveCells()):
        notebook, resources = step.preprocess(notebook, resources)
