"""The laws of an exercise without a pytest session: for those who try one at a time, or only ask what there is."""

import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import hypothesis

from grader.course import Exercise
from grader.laws.interface import Implementation
from grader.laws.law import Law


class LawsMissing(Exception):
    """The file with an exercise's laws is not where the course keeps it; the text is a sentence for a person."""


@dataclass(frozen=True)
class LoadedLaw:
    """A law together with the test that tries it."""

    law: Law
    test: Callable[..., None]

    def try_on(self, impl: Implementation, seed: int) -> None:
        """Try the law on what `seed` draws; raises whatever says that it does not hold."""
        if (search := getattr(self.test, "search", None)) is not None:
            hypothesis.seed(seed)(search)
        impl.renew()
        seeded = {"run_seed": seed} if "run_seed" in inspect.signature(self.test).parameters else {}
        self.test(impl=impl, **seeded)


@cache
def load_laws(exercise: Exercise) -> dict[str, LoadedLaw]:
    """The laws of `exercise` by name, in their file's order; `LawsMissing` if the file is not there."""
    name = f"laws_of_{exercise.id}"
    if not exercise.laws.is_file():
        raise LawsMissing(
            f"the laws of {exercise.id} are not on this machine ({exercise.laws} is missing); install the course from "
            "its own folder, with `pip install -e .`, and start the kernel again."
        )
    spec = importlib.util.spec_from_file_location(name, exercise.laws)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return {loaded.law.name: loaded for loaded in _laws_in(vars(module), exercise)}


def _laws_in(namespace: dict[str, Any], exercise: Exercise) -> list[LoadedLaw]:
    return [
        LoadedLaw(Law.from_marker(exercise, name, value, marker), value)
        for name, value in namespace.items()
        for marker in getattr(value, "pytestmark", ())
        if name.startswith("test_") and marker.name == "law"
    ]
