"""`forall`: hypothesis' `given`, with the course's settings and a bound on shrinking."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import UnsatisfiedAssumption
from hypothesis.internal.conjecture.providers import HypothesisProvider
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies import SearchStrategy

DEFAULT_EXAMPLES = 20
SHRINK_TRIES = 15
"""Executions of a law after its first failure. Cases are small to begin with; a wrong answer must not cost minutes."""


# hypothesis also draws numbers that it reads in the modules that happen to be loaded. Without that the cases follow
# from the seed alone: they are the same in another folder, and after other submissions.
HypothesisProvider._local_constants = Constants()  # type: ignore[assignment]


_one_failure_is_enough = False


def do_not_shrink() -> None:
    """From now on, in this process and its forks, a failing case is reported as it was found: for those who only
    ask whether a law holds."""
    global _one_failure_is_enough
    _one_failure_is_enough = True


@dataclass
class _Search:
    """The search for one law's smallest counterexample: how each known one failed, and how many tries are left."""

    failures: dict[tuple[Any, ...], Exception] = field(default_factory=dict)
    tries_left: int = SHRINK_TRIES
    passes_over_the_first: bool = False

    def before(self, drawn: tuple[Any, ...]) -> None:
        """Called with each draw. hypothesis replays failures: they fail again as they did, even if the code dices."""
        if self.passes_over_the_first:
            self.passes_over_the_first = False
            hypothesis.reject()
        if drawn in self.failures:
            raise self.failures[drawn]
        if self.failures:
            self.tries_left -= 1
        if self.tries_left < 0:
            hypothesis.reject()


def forall(
    *, max_examples: int = DEFAULT_EXAMPLES, **strategies: SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The decorated law must hold for every drawn value.

    Drawn values are hashable (the cases of `grader.laws.cases` are frozen dataclasses). The smallest failing
    draw found is left on the exception as `.drawn`, the law for one case on the test as `.on_one_case`, and
    hypothesis' own test, which takes a seed, as `.search`.
    Derandomized by the run's `--hypothesis-seed`, without deadline or example database, so a report can be
    made again byte by byte.
    """

    def decorate(law: Callable[..., None]) -> Callable[..., None]:
        search = _Search()

        @functools.wraps(law)
        def bounded(*args: Any, **kwargs: Any) -> None:
            drawn = {name: kwargs[name] for name in strategies}
            search.before(tuple(drawn.values()))
            if "impl" in kwargs:
                kwargs["impl"].renew()
            try:
                law(*args, **kwargs)
            except UnsatisfiedAssumption:
                raise
            except Exception as error:
                error.drawn = drawn  # type: ignore[attr-defined]
                search.failures[tuple(drawn.values())] = error
                raise

        searching = settings(
            max_examples=max_examples,
            derandomize=False,  # where the variable CI is set, hypothesis would ignore the run's seed
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            report_multiple_bugs=False,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
        )(given(**strategies)(bounded))

        @functools.wraps(searching)
        def test(*args: Any, **kwargs: Any) -> None:
            search.failures.clear()
            # hypothesis begins with the simplest case, the same for every seed. One example must not be just that.
            search.passes_over_the_first = max_examples == 1
            search.tries_left = 0 if _one_failure_is_enough else SHRINK_TRIES
            searching(*args, **kwargs)

        test.on_one_case = law  # type: ignore[attr-defined]
        test.search = searching  # type: ignore[attr-defined]
        return test

    return decorate
