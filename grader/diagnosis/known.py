"""A known wrong answer as an implementation of the laws, in this process: it is the course's own code."""

import sys
from collections.abc import Sequence
from functools import cache
from types import CodeType, ModuleType

from grader.bank import Entry, together
from grader.course import SOLUTIONS
from grader.laws.local import PACKAGE, LocalImplementation, use_folder


class KnownAnswer(LocalImplementation):
    """One mistake, or several put together in this order; its earlier exercises are the reference's."""

    def __init__(self, mistakes: Sequence[Entry]) -> None:
        exercise = mistakes[0].exercise
        super().__init__(exercise, SOLUTIONS)
        use_folder(SOLUTIONS)
        module = ModuleType(f"{PACKAGE}.{exercise.module}")
        sys.modules[module.__name__] = module
        exec(_compiled(tuple(mistakes)), module.__dict__)
        self._text = together(*mistakes)

    @property
    def source(self) -> str:
        return self._text


@cache
def _compiled(mistakes: tuple[Entry, ...]) -> CodeType:
    return compile(together(*mistakes), mistakes[0].exercise.filename, "exec")
