"""`check("ex2", "law_name")`: one law, tried on what the notebook has defined so far."""

import contextlib
import os
import sys
import warnings
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis.configuration import set_hypothesis_home_dir

from grader.course import EXERCISES
from grader.laws.explain import OwnFiles, explain, files_in
from grader.laws.load import LawsMissing, LoadedLaw, load_laws
from grader.laws.summary import failure_text
from grader.notebooks.implementation import NotebookImplementation
from grader.notebooks.say import NotHeld, Said

if TYPE_CHECKING:  # only a notebook has it; the grader reads notebooks without
    from IPython.core.interactiveshell import InteractiveShell


def check(exercise: str, law: str, seed: int = 0) -> None:
    """Try a law on the notebook's own code.

    Args:
        exercise: its id, such as "ex2".
        law: the law's name, as in `tests/exercises/`, without `test_`.
        seed: of all that is drawn; the same seed draws the same cases as `pytest` and the grader do.

    A law that holds is told in a line. One that does not ends the cell with the same text that `pytest` prints.
    """
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None:
        raise Said("check() looks at a notebook's own code, and this is no notebook: use pytest for files.")
    loaded = _find(exercise, law)
    impl = NotebookImplementation(EXERCISES[exercise], shell)
    try:
        # nbgrader takes a line on stderr for a failure, and a warning is none.
        with contextlib.redirect_stderr(sys.stdout), warnings.catch_warnings(action="ignore"):
            loaded.try_on(impl, seed)
    except Exception as error:
        outcome = explain(error, loaded.law, _own_files(shell))
        raise NotHeld(failure_text(loaded.law, outcome)) from None
    finally:
        impl.renew()
    print(f"passed: {loaded.law.title}{f' (other draws, seed {seed})' if seed else ''}")


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
