"""`forall`: hypothesis' `given`, with the course's settings and a bound on shrinking."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import UnsatisfiedAssumption
from hypothesis.strategies import SearchStrategy

DEFAULT_EXAMPLES = 20
SHRINK_TRIES = 40
"""Executions of a law after its first failure. Sizes shrink in far fewer; a wrong answer must not cost minutes."""


@dataclass
class _Search:
    """The search for one law's smallest counterexample: what failed so far, and how many tries are left."""

    failing: set[tuple[Any, ...]] = field(default_factory=set)
    tries_left: int = SHRINK_TRIES

    def may_try(self, drawn: tuple[Any, ...]) -> bool:
        """Whether to run the law on `drawn`. Known failures always run again: hypothesis replays the last one."""
        if not self.failing or drawn in self.failing:
            return True
        self.tries_left -= 1
        return self.tries_left >= 0


def forall(
    *, max_examples: int = DEFAULT_EXAMPLES, **strategies: SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The decorated law must hold for every drawn value.

    Drawn values are hashable (the cases of `grader.laws.cases` are frozen dataclasses). The smallest failing
    draw found is left on the exception as `.drawn`. Derandomized by the run's `--hypothesis-seed`, without
    deadline or example database, so a report can be made again byte by byte.
    """

    def decorate(law: Callable[..., None]) -> Callable[..., None]:
        search = _Search()

        @functools.wraps(law)
        def bounded(*args: Any, **kwargs: Any) -> None:
            drawn = {name: kwargs[name] for name in strategies}
            if not search.may_try(tuple(drawn.values())):
                hypothesis.reject()
            try:
                law(*args, **kwargs)
            except UnsatisfiedAssumption:
                raise
            except Exception as error:
                search.failing.add(tuple(drawn.values()))
                error.drawn = drawn  # type: ignore[attr-defined]
                raise

        searching = settings(
            max_examples=max_examples,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            report_multiple_bugs=False,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
        )(given(**strategies)(bounded))

        @functools.wraps(searching)
        def test(*args: Any, **kwargs: Any) -> None:
            search.failing.clear()
            search.tries_left = SHRINK_TRIES
            searching(*args, **kwargs)

        return test

    return decorate
