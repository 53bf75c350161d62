"""The implementation in this very process: what a student's own `pytest` tests."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from grader.course import EXERCISES, Exercise
from grader.laws import global_state, probes
from grader.laws.errors import LawBroken, MissingName
from grader.laws.interface import Calls, Observation
from grader.laws.own_work import LibraryWatch
from grader.laws.trip import called_in_turn

PACKAGE = "exercises"


def use_folder(folder: Path) -> None:
    """From now on `import exercises.…` reads from `folder`, whatever it is called."""
    for name in [name for name in sys.modules if name == PACKAGE or name.startswith(f"{PACKAGE}.")]:
        del sys.modules[name]
    package = ModuleType(PACKAGE)
    package.__path__ = [str(folder)]
    sys.modules[PACKAGE] = package
    importlib.invalidate_caches()


class ImplementationHere:
    """What implementations in this process have in common; where the code comes from is for them to say."""

    device = "cpu"

    def __init__(self) -> None:
        self.library_calls: set[str] = set()
        self._settings = global_state.settings()

    @property
    def earlier(self) -> "EarlierExercises":
        """The public names of the exercises before this one."""
        return EarlierExercises()

    def each(self, name: str, calls: Calls) -> list[Any]:
        """The results of several calls of one public name."""
        return called_in_turn(getattr(self, name), calls)

    def probe(self, name: str, *args: Any, **kwargs: Any) -> nn.Module:
        """A little known module of `grader.laws.probes`."""
        module: nn.Module = getattr(probes, name)(*args, **kwargs)
        return module

    def optimizer(self, model: nn.Module, name: str, **options: Any) -> torch.optim.Optimizer:
        """A torch optimizer over `model`'s parameters, to hand to a student's function."""
        optimizer: torch.optim.Optimizer = getattr(torch.optim, name)(model.parameters(), **options)
        return optimizer

    def generator(self, seed: int) -> torch.Generator:
        """A seeded generator, to hand to a student's function."""
        return torch.Generator().manual_seed(seed)

    def seed(self, value: int) -> None:
        """Seed the global generators, which here are also the law's own."""
        global_state.seed(value)

    @contextmanager
    def observe(self, *tensors: Tensor) -> Iterator[Observation]:
        """Watch what the calls inside do to these tensors and to the process."""
        copies = [tensor.detach().clone() for tensor in tensors]
        before = global_state.snapshot()
        seen = Observation()
        with LibraryWatch(self.library_calls):
            yield seen
        seen.changed_globals = global_state.differences(before, global_state.snapshot())
        seen.changed_inputs = [
            i for i, (now, then) in enumerate(zip(tensors, copies, strict=True)) if not torch.equal(now, then)
        ]

    @contextmanager
    def allow(self, *, cpu_seconds: float) -> Iterator[None]:  # noqa: ARG002 - nothing is limited here
        """Longer calls than usual are expected inside; only the judge limits calls."""
        yield

    def renew(self) -> None:
        """Before every case of a law: undo what the student's code left behind in the process."""
        global_state.renew(self._settings)

    def close(self) -> None:
        """Nothing is held."""


class LocalImplementation(ImplementationHere):
    """One exercise of the implementation in a folder, loaded when it is first used."""

    def __init__(self, exercise: Exercise, folder: Path) -> None:
        super().__init__()
        self._exercise = exercise
        self._folder = folder
        if not (folder / exercise.filename).is_file():
            raise LawBroken(f"there is no {exercise.filename} in {folder.name}/.")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _public_name(self._exercise, name)

    @contextmanager
    def observe(self, *tensors: Tensor) -> Iterator[Observation]:
        """As everywhere; what the file does when it is loaded is no call's doing."""
        _module(self._exercise)
        with super().observe(*tensors) as seen:
            yield seen

    @property
    def source(self) -> str:
        """The text of this exercise's file."""
        return (self._folder / self._exercise.filename).read_text(encoding="utf-8")


class EarlierExercises:
    """`impl.earlier`: any public name of the course, found in the exercise that defines it."""

    def __getattr__(self, name: str) -> Any:
        for exercise in EXERCISES.values():
            if name in exercise.names:
                return _public_name(exercise, name)
        raise AttributeError(name)


def _module(exercise: Exercise) -> ModuleType:
    return importlib.import_module(f"{PACKAGE}.{exercise.module}")


def _public_name(exercise: Exercise, name: str) -> Any:
    module = _module(exercise)
    if not hasattr(module, name):
        raise MissingName(exercise.filename, name)
    return getattr(module, name)
