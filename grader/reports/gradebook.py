"""The marks of a run in nbgrader's gradebook, cell by cell, through nbgrader's own API.

They go to the very cells that `nbgrader autograde` fills, so that export, formgrader and feedback show them; whoever
writes last decides, and a mark given by hand stays above both. nbgrader is not needed for anything else here.
"""

import importlib.util
import os
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.course import ASSIGNMENTS, EXERCISES
from grader.exit_status import Unusable
from grader.results import ExerciseResult, StudentResult


@dataclass
class Written:
    """What was done to a gradebook: how many scores were written, and which students it did not know before."""

    scores: int = 0
    added: list[str] = field(default_factory=list)


def check_gradebook(url: str) -> Path | None:
    """`Unusable` unless there is, or can be, a gradebook at `url`, such as "sqlite:///gradebook.db".

    Returns the file that it lies in, if that was made only now.
    """
    if importlib.util.find_spec("nbgrader") is None:
        raise Unusable("--gradebook needs nbgrader: pip install -e '.[nbgrader]'")
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    try:
        address = make_url(url)
    except SQLAlchemyError:
        raise Unusable(f"--gradebook {url}: expected an address such as sqlite:///gradebook.db") from None
    file = Path(address.database).resolve() if address.get_backend_name() == "sqlite" and address.database else None
    is_new = file is not None and not file.exists()
    write_gradebook(url, [])
    return file if is_new else None


def write_gradebook(url: str, results: Iterable[StudentResult]) -> Written:
    """Write the score of each law of each exercise that was handed in to its cell.

    An assignment that the gradebook does not know yet is entered with its cells. `Unusable` if it knows the
    assignment with other cells, or cannot be opened.
    """
    from nbgrader.api import Gradebook, MissingEntry
    from sqlalchemy.exc import SAWarning, SQLAlchemyError

    # nbgrader calls `alembic`, which is installed beside it, by its bare name.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    written = Written()
    try:
        with warnings.catch_warnings(action="ignore", category=SAWarning), Gradebook(url) as book:  # nbgrader's own
            known = {student.id for student in book.students}
            for result in results:
                handed_in = [exercise for exercise in result.exercises.values() if exercise.status == "graded"]
                if handed_in and result.student not in known:
                    written.added.append(result.student)
                for exercise in handed_in:
                    written.scores += _write(book, url, result.student, exercise)
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
