"""A known wrong answer as an implementation of the laws, in this process: it is the course's own code."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from types import CodeType, ModuleType
from typing import Any

from torch import Tensor, nn
from torch.utils._pytree import tree_map

from grader.bank import Entry, together
from grader.course import SOLUTIONS
from grader.laws.interface import Observation
from grader.laws.local import PACKAGE, LocalImplementation, use_folder


class KnownAnswer(LocalImplementation):
    """One mistake, or several put together in this order; its earlier exercises are the reference's.

    As in a worker, what a call writes into its arguments does not reach the law's own tensors, and those that need a
    gradient come as views of them. Inside `observe`, which looks for what is written, they are handed over themselves.
    """

    def __init__(self, mistakes: Sequence[Entry]) -> None:
        exercise = mistakes[0].exercise
        super().__init__(exercise, SOLUTIONS)
        use_folder(SOLUTIONS)
        module = ModuleType(f"{PACKAGE}.{exercise.module}")
        sys.modules[module.__name__] = module
        exec(_compiled(tuple(mistakes)), module.__dict__)
        self._text = together(*mistakes)
        self._is_observed = False

    def __getattr__(self, name: str) -> Callable[..., Any]:
        called = super().__getattr__(name)

        def caller(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = self._apart(args, kwargs)
            result = called(*args, **kwargs)
            if isinstance(called, type) and isinstance(result, nn.Module):
                result.register_forward_pre_hook(lambda _, *given: self._apart(*given), with_kwargs=True)
            return result

        return caller

    @property
    def source(self) -> str:
        return self._text

    @contextmanager
    def observe(self, *tensors: Tensor) -> Iterator[Observation]:
        self._is_observed = True
        try:
            with super().observe(*tensors) as seen:
                yield seen
        finally:
            self._is_observed = False

    def _apart(self, args: Any, kwargs: Any) -> Any:
        """The arguments with stand-ins for their tensors: one for each, however often it is there."""
        found: dict[int, Tensor] = {}

        def stand_in(value: Any) -> Any:
            if self._is_observed or not isinstance(value, Tensor):
                return value
            if id(value) not in found:  # a clone would not be laid out in the same way as a deep copy
                found[id(value)] = value.view_as(value) if value.requires_grad else deepcopy(value)
            return found[id(value)]

        return tree_map(stand_in, (args, kwargs))


@cache
def _compiled(mistakes: tuple[Entry, ...]) -> CodeType:
    return compile(together(*mistakes), mistakes[0].exercise.filename, "exec")
