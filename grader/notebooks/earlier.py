"""The earlier exercises that a notebook builds on: the student's own modules, or those released with it."""

import importlib.util
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
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
    use_folder(Path.cwd())
    for need in _needs(EXERCISES[exercise]):
        own, published = _own(need), _published(need)
        if not own.is_file() and not published.is_file():
            raise Said(
                f"{need.title} ({need.id}) is needed here. Put your own {need.filename} beside this notebook, or the "
                f"released {FOLDER}/{published.name}."
            )
        whose = f"your own {own.name}" if own.is_file() else f"the published solution, {FOLDER}/{published.name}"
        print(f"{need.id} {need.title}: {whose}")
        _load(need, own if own.is_file() else published)


def own_parts(exercise: Exercise) -> list[Exercise]:
    """The earlier exercises of which the notebook of `exercise` uses the student's own module, nearest last.

    Empty if some solution was not released with the notebook, so that it cannot take the place of a student's.
    """
    needs = _needs(exercise)
    return [need for need in needs if _own(need).is_file()] if all(_published(n).is_file() for n in needs) else []


@contextmanager
def only_own(kept: Collection[Exercise], exercise: Exercise) -> Iterator[None]:
    """Inside, of the parts that `exercise` builds on only `kept` are the student's own; the others are the published.

    All are loaded anew, in order, as they import each other.
    """
    before = _modules()
    try:
        for need in _needs(exercise):
            _load(need, _own(need) if need in kept else _published(need))
        yield
    finally:
        for name in _modules():
            del sys.modules[name]
        sys.modules.update(before)


def load_text(exercise: Exercise, text: str) -> ModuleType:
    """`text` run as the module of `exercise`, which is what `exercises.…` then names."""
    module = ModuleType(f"{PACKAGE}.{exercise.module}")
    sys.modules[module.__name__] = module
    exec(compile(text, exercise.filename, "exec", dont_inherit=True), vars(module))
    return module


def _needs(exercise: Exercise) -> list[Exercise]:
    return [EXERCISES[id] for id in exercise.needs]


def _own(exercise: Exercise) -> Path:
    return Path.cwd() / exercise.filename


def _published(exercise: Exercise) -> Path:
    return Path.cwd() / FOLDER / published_name(exercise)


def _modules() -> dict[str, ModuleType]:
    return {name: module for name, module in sys.modules.items() if name.startswith(f"{PACKAGE}.")}


def _load(exercise: Exercise, path: Path) -> None:
    name = f"{PACKAGE}.{exercise.module}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
