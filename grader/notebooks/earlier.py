"""The earlier exercises that a notebook builds on: the student's own modules, or those released with it."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from grader.course import EXERCISES, Exercise
from grader.laws.local import PACKAGE, use_folder
from grader.notebooks.say import Said

FOLDER = "earlier"


def published_name(exercise: Exercise) -> str:
    """The file that holds a published solution. It is not called as a student's is: no one hands it in by accident."""
    return f"published_{exercise.filename}"


def use_earlier_parts(exercise: str) -> None:
    """Make `from exercises.… import …` work in the notebook of `exercise`, and say which code that is.

    Of each earlier exercise it is your own module, if it lies beside the notebook, and else the solution that was
    released with it, in the folder `earlier`.
    """
    here = Path.cwd()
    use_folder(here)
    for need in (EXERCISES[id] for id in EXERCISES[exercise].needs):
        own, published = here / need.filename, here / FOLDER / published_name(need)
        if not own.is_file() and not published.is_file():
            raise Said(
                f"{need.title} ({need.id}) is needed here. Put your own {need.filename} beside this notebook, or the "
                f"released {FOLDER}/{published.name}."
            )
        whose = f"your own {own.name}" if own.is_file() else f"the published solution, {FOLDER}/{published.name}"
        print(f"{need.id} {need.title}: {whose}")
        _load(need, own if own.is_file() else published)


def _load(exercise: Exercise, path: Path) -> None:
    name = f"{PACKAGE}.{exercise.module}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
