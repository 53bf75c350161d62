"""`check("ex2", "law_name")`: one law, tried on what the notebook has defined so far."""

import contextlib
import os
import sys
import warnings
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis.configuration import set_hypothesis_home_dir

from grader.course import EXERCISES, Exercise
from grader.laws.explain import Outcome, OwnFiles, explain, files_in, format_frames, own_frames
from grader.laws.load import LawsMissing, LoadedLaw, load_laws
from grader.laws.summary import failure_text
from grader.notebooks.earlier import only_own, own_parts
from grader.notebooks.implementation import NotebookImplementation
from grader.notebooks.limit import TookTooLong
from grader.notebooks.say import NotHeld, Said

if TYPE_CHECKING:  # only a notebook has it; the grader reads notebooks without
    from IPython.core.interactiveshell import InteractiveShell


def check(exercise: str, law: str, seed: int = 0) -> None:
    """Try a law on the notebook's own code.

    Args:
        exercise: its id, such as "ex2".
        law: the law's name, as in `tests/exercises/`, without `test_`.
        seed: of all that is drawn; the same seed draws the same cases as `pytest` and the grader do.

    A law that holds is told in a line. One that does not ends the cell with the same text that `pytest` prints, and so
    does one that takes too long (`grader.notebooks.limit`). One that fails on the student's own earlier exercises and
    holds on the published ones passes, as in the grader, and it is told which of theirs is at fault.
    """
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None:
        raise Said("check() looks at a notebook's own code, and this is no notebook: use pytest for files.")
    loaded = _find(exercise, law)
    error = _failure(loaded, NotebookImplementation(EXERCISES[exercise], shell), seed)
    at_fault: list[Exercise] = []
    if error is not None:
        at_fault = _parts_at_fault(loaded, shell, seed)
        if not at_fault:
            raise NotHeld(failure_text(loaded.law, _outcome(error, loaded, _own_files(shell))))
    print(f"passed: {loaded.law.title}{f' (other draws, seed {seed})' if seed else ''}")
    if at_fault:
        names = " and ".join(part.filename for part in at_fault)
        print(f"  It fails on your own {names}, where the fault is, and not on the published: no points are lost here.")


def _failure(loaded: LoadedLaw, impl: NotebookImplementation, seed: int) -> BaseException | None:
    """What says that the law does not hold, or took too long; None if it holds."""
    try:
        # nbgrader takes a line on stderr for a failure, and a warning is none.
        with contextlib.redirect_stderr(sys.stdout), warnings.catch_warnings(action="ignore"):
            impl.limit.run(lambda: loaded.try_on(impl, seed))
    except (Exception, TookTooLong) as error:
        return error
    finally:
        impl.renew()
    return None


def _outcome(error: BaseException, loaded: LoadedLaw, own: OwnFiles) -> Outcome:
    if not isinstance(error, TookTooLong):
        return explain(error, loaded.law, own)
    return Outcome("timeout", "\n".join([str(error), format_frames(own_frames(error, own))]))


def _parts_at_fault(loaded: LoadedLaw, shell: "InteractiveShell", seed: int) -> list[Exercise]:
    """The student's own earlier exercises, used here, for whose fault a law fails; none if it is the notebook's own.

    As in the grader, all published solutions together decide; then each of the student's own is tried among them.
    """
    exercise = loaded.law.exercise
    own = own_parts(exercise)

    def fails_with(kept: Collection[Exercise]) -> bool:
        try:
            with only_own(kept, exercise):
                return _failure(loaded, NotebookImplementation(exercise, shell, anew=True), seed) is not None
        except Exception:  # of code that can't even be loaded
            return True

    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        if not own or fails_with(()):
            return []
        return [part for part in own if len(own) == 1 or fails_with((part,))] or own


def _find(exercise: str, law: str) -> LoadedLaw:
    set_hypothesis_home_dir(os.devnull)  # nothing is kept between runs, so no folder is left beside the notebook
    if exercise not in EXERCISES:
        raise Said(f"check(): there is no exercise {exercise!r}; the exercises are {', '.join(EXERCISES)}.")
    try:
        laws = load_laws(EXERCISES[exercise])
    except LawsMissing as reason:
        raise Said(f"check(): {reason}") from None
    if law not in laws:
        near = "".join(f" Did you mean {name!r}?" for name in get_close_matches(law, laws, n=1))
        raise Said(f"check(): {exercise} has no law {law!r}.{near}")
    return laws[law]


def _own_files(shell: "InteractiveShell") -> OwnFiles:
    """The student's code is in the notebook's cells, and in modules of their own beside it."""
    beside = files_in(Path.cwd())

    def name(filename: str) -> str | None:
        cell = shell.compile.format_code_name(filename)
        return " ".join(cell) if cell else beside(filename)

    return name
