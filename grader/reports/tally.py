"""The class as numbers: totals, and how each law fared."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import mean, median

from grader.reports.text import share
from grader.results import LawStatus, StudentResult

BINS = 10


@dataclass
class LawTally:
    """How one law fared among the students who submitted its exercise."""

    exercise: str
    name: str
    title: str
    counts: Counter[LawStatus] = field(default_factory=Counter)

    @property
    def tried(self) -> int:
        return self.counts.total()

    @property
    def passed(self) -> int:
        return self.counts["passed"]


@dataclass(frozen=True)
class ClassTally:
    """What index.html and the terminal say about all the students together."""

    students: int
    mean: float
    median: float
    max_score: float
    submitted: int
    # Students per tenth of the maximum; full marks are in the last one.
    histogram: tuple[int, ...]
    # The hardest first; those of equal share in the order of the course.
    laws: tuple[LawTally, ...]


def tally(results: Sequence[StudentResult]) -> ClassTally:
    """The numbers of a class, which may be empty."""
    scores = [result.score for result in results]
    bins = [0] * BINS
    for result in results:
        bins[min(int(share(result.score, result.max_score) * BINS / 100), BINS - 1)] += 1
    return ClassTally(
        students=len(results),
        mean=mean(scores) if scores else 0.0,
        median=median(scores) if scores else 0.0,
        max_score=max((result.max_score for result in results), default=0.0),
        submitted=sum(any(e.status == "graded" for e in result.exercises.values()) for result in results),
        histogram=tuple(bins),
        laws=_laws(results),
    )


def _laws(results: Sequence[StudentResult]) -> tuple[LawTally, ...]:
    tallies: dict[tuple[str, str], LawTally] = {}
    for result in results:
        for name, exercise in result.exercises.items():
            for law in exercise.tests:
                entry = tallies.setdefault((name, law.name), LawTally(name, law.name, law.title))
                if law.status != "not_submitted":
                    entry.counts[law.status] += 1
    in_course_order = sorted(tallies.values(), key=lambda entry: entry.exercise)
    return tuple(sorted(in_course_order, key=lambda entry: share(entry.passed, entry.tried)))
