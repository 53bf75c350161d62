"""Finding the known mistakes that explain all the failures of an exercise.

A mistake explains a failure if the law, tried on it with the very case that failed, fails in the same way: the same
sentence, about the same values. It is named only if next to nothing remains unexplained, and if it keeps the laws that
the submission keeps. Of several that do, the one is named whose own list of failing laws fits best. If none does, two
together may. It is better to say nothing than to guess.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

from grader.bank import Entry
from grader.diagnosis.evidence import is_comparable, is_strong, same_failure
from grader.diagnosis.known import KnownAnswer
from grader.laws.law import Law

TOLERATED = 5
"""One in so many failures may show other values than the known mistake does, as long as both fail."""
MAX_TRIES = 200
"""Laws tried on known mistakes, for one exercise of one submission."""

Mistakes = tuple[Entry, ...]


@dataclass(frozen=True)
class Failure:
    """A law that failed: its test, and how."""

    law: Law
    test: Callable[..., None]
    error: BaseException

    @cached_property
    def on_one_case(self) -> Callable[..., None] | None:
        """The law, to be tried on the case that failed; None if it needs more than that."""
        if not _needs_nothing_else(self.test):
            return None
        return getattr(self.test, "on_one_case", self.test)

    @property
    def drawn(self) -> Mapping[str, Any]:
        return getattr(self.error, "drawn", {})


def diagnose(
    mistakes: Sequence[Entry], failures: Sequence[Failure], passed: Mapping[str, Callable[..., None]]
) -> Mistakes:
    """The mistake, or the two, that explain all `failures`; empty if none do.

    `mistakes` are the known ones of the exercise, `passed` the tests of the laws that hold, by name.
    """
    comparable = [failure for failure in failures if failure.on_one_case is not None]
    if not comparable or not all(is_comparable(failure.error) for failure in comparable):
        return ()
    return _Search(mistakes, failures, comparable, passed).run()


class _Search:
    def __init__(
        self,
        mistakes: Sequence[Entry],
        failures: Sequence[Failure],
        comparable: Sequence[Failure],
        passed: Mapping[str, Callable[..., None]],
    ) -> None:
        self._mistakes = mistakes
        self._failing = {failure.law.name for failure in failures}
        self._passed = passed
        # The law that fewest mistakes can break is asked first: it leaves the fewest to try on the others.
        self._failures = sorted(comparable, key=lambda failure: len(self._candidates(failure)))
        self._strong = [failure for failure in comparable if is_strong(failure.error)]
        self._tries_left = MAX_TRIES
        self._errors: dict[tuple[Mistakes, str], BaseException | None] = {}

    def run(self) -> Mistakes:
        single: list[Mistakes] = [(entry,) for entry in self._candidates(self._failures[0])]
        explaining = sorted(filter(self._explains_all, single), key=self._misfit)
        return next(filter(self._keeps_the_rest, explaining), ()) or self._pair()

    def _candidates(self, failure: Failure) -> list[Entry]:
        name = failure.law.name
        return [entry for entry in self._mistakes if name in entry.laws or name in entry.also]

    def _explains_all(self, mistakes: Mistakes) -> bool:
        """Whether the mistakes break every law that the submission breaks, and nearly all of them in the same way.

        The same mistake can be written in ways that differ where it leaves the values to chance.
        """
        if not all(self._error(mistakes, failure) for failure in self._failures):
            return False
        if not self._strong:
            return bool(self._failing & set(mistakes[0].laws)) and self._differing(mistakes) == 0
        explained = sum(self._explains(mistakes, failure) for failure in self._strong)
        return explained > 0 and self._differing(mistakes) <= len(self._failures) // TOLERATED

    def _differing(self, mistakes: Mistakes) -> int:
        return sum(not self._explains(mistakes, failure) for failure in self._failures)

    def _explains(self, mistakes: Mistakes, failure: Failure) -> bool:
        """Whether the mistakes fail this law on this case as the submission did."""
        error = self._error(mistakes, failure)
        return error is not None and same_failure(failure.error, error)

    def _error(self, mistakes: Mistakes, failure: Failure) -> BaseException | None:
        """How the mistakes fail this law on this case, if they do."""
        key = (mistakes, failure.law.name)
        if key not in self._errors:
            can = any(failure.law.name in (*entry.laws, *entry.also) for entry in mistakes)
            law = failure.on_one_case
            self._tries_left -= can
            is_tried = can and law is not None and self._tries_left >= 0
            self._errors[key] = _error_of(mistakes, law, failure.drawn) if is_tried and law is not None else None
        return self._errors[key]

    def _misfit(self, mistakes: Mistakes) -> tuple[int, int, int, str]:
        """The smaller, the likelier. A general mistake takes fewer words to make than a special case of it."""
        listed = {name for entry in mistakes for name in (*entry.laws, *entry.also)}
        differing, unlisted = self._differing(mistakes), len(listed ^ self._failing)
        return differing, unlisted, len(mistakes[0].definitions), mistakes[0].id

    def _keeps_the_rest(self, mistakes: Mistakes) -> bool:
        """Whether the laws that the submission keeps hold for the mistakes too, of those that they may break."""
        listed = {name for entry in mistakes for name in (*entry.laws, *entry.also)}
        kept = [test for name, test in self._passed.items() if name in listed]
        return all(_error_of(mistakes, test, {}) is None for test in kept if _needs_nothing_else(test))

    def _pair(self) -> Mistakes:
        """Two mistakes, each of which explains something alone, and which together leave nothing."""
        useful = [
            entry for entry in self._mistakes if any(self._explains((entry,), failure) for failure in self._strong)
        ]
        for pair in combinations(useful, 2):
            rest = [f for f in self._failures if not any(self._explains((entry,), f) for entry in pair)]
            alone = [[f for f in self._failures if self._explains((entry,), f)] for entry in pair]
            if alone[0] == alone[1]:
                continue
            for order in permutations(pair):
                if all(self._explains(order, failure) for failure in rest) and self._keeps_the_rest(order):
                    return order
        return ()


def _needs_nothing_else(test: Callable[..., None]) -> bool:
    return set(inspect.signature(test).parameters) == {"impl"}


def _error_of(mistakes: Mistakes, law: Callable[..., None], drawn: Mapping[str, Any]) -> BaseException | None:
    """How a law fails on these mistakes; None if it holds."""
    try:
        impl = KnownAnswer(mistakes)
        impl.renew()
        try:
            law(impl=impl, **drawn)
        finally:
            impl.renew()
    except Exception as error:
        return error
    return None
