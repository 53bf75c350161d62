"""What `pytest` prints: one failing law in words, and the bar of points per exercise."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import chain

from grader.course import EXERCISES
from grader.laws.explain import Outcome
from grader.laws.law import Law
from grader.results import LawResult, in_words

BAR_WIDTH = 20
FULL, EMPTY = "█", "░"
WIDTH = 100


def failure_text(law: Law, outcome: Outcome) -> str:
    """A failing law as a student reads it: the law, what came instead, the smallest case, where to look."""
    if outcome.status == "not_started":
        return f"not started: {outcome.message}"
    parts = [_wrapped("The law:  ", law.statement)]
    parts.append(_wrapped("But:      ", outcome.message))
    if counterexample := in_words(outcome.case, outcome.drawings):
        parts.append(textwrap.indent(counterexample, "    "))
    parts.append(_wrapped("Look at:  ", law.hint))
    return "\n\n".join(parts) + "\n"


def _wrapped(label: str, text: str) -> str:
    """`text` behind a label, wrapped; lines that are already laid out (code, indented) keep their shape."""
    width = WIDTH - len(label)
    wrapped = (
        [line] if line[:1].isspace() else textwrap.wrap(line, width, break_long_words=False) or [""]
        for line in text.splitlines() or [""]
    )
    return label + textwrap.indent("\n".join(chain.from_iterable(wrapped)), " " * len(label)).lstrip()


def points_table(results: Sequence[tuple[Law, LawResult]]) -> Iterator[str]:
    """One line per exercise that was tried, and the total."""
    for exercise in EXERCISES.values():
        mine = [result for law, result in results if law.exercise == exercise]
        if mine:
            yield _line(f"{exercise.id} {exercise.title}", mine)
    everything = [result for _, result in results]
    yield _line("total", everything)


def _line(title: str, results: Sequence[LawResult]) -> str:
    score, most = sum(r.score for r in results), sum(r.max_score for r in results)
    filled = int(BAR_WIDTH * score / most) if most else 0
    waiting = sum(r.status == "not_started" for r in results)
    remark = f"   ({waiting} of {len(results)} laws not started)" if waiting else ""
    return f"{title:<34} {FULL * filled}{EMPTY * (BAR_WIDTH - filled)} {score:>3g} of {most:g}{remark}"
