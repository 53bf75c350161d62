"""What an audit finds wrong with the course, one sentence each."""

import argparse
import contextlib
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.audit.trials import Trial
from grader.build import build_command
from grader.course import EXERCISES, EXERCISES_DIR
from grader.laws.law import Law
from grader.release.leaks import leaks

POINTS_OF_AN_EXERCISE = 20


def of_trials(trials: Sequence[Trial], laws: Sequence[Law]) -> list[str]:
    """Answers that did not fare as they must, and laws that refuse nothing."""
    killed: dict[str, set[str]] = defaultdict(set)
    faults = []
    for trial in trials:
        failed = {name for name, status in trial.statuses.items() if status != "passed"}
        killed[trial.answer.exercise.id] |= failed if trial.answer.kind == "wrong" else set()
        where = f"{trial.answer.exercise.id}, seed {trial.seed}, {trial.answer.id}"
        faults += [f"{where}: {fault}" for fault in _of_trial(trial, failed)]
    for law in laws:
        if law.name not in killed[law.exercise.id]:
            faults.append(f"{law.exercise.id}: no wrong answer fails the law {law.name}.")
    return faults


def _of_trial(trial: Trial, failed: set[str]) -> Iterator[str]:
    entry = trial.answer.entry
    if trial.answer.kind == "skeleton":
        for name, status in trial.statuses.items():
            if status != "not_started":
                yield f"{name} is {status}, not not_started."
    elif trial.answer.kind == "wrong" and entry is not None:
        if not failed & set(entry.laws):
            yield f"keeps the points of the laws that it names: {', '.join(entry.laws)}."
        if strange := failed - set(entry.laws) - set(entry.also):
            yield f"fails laws that it does not list: {', '.join(sorted(strange))}."
    else:
        for name in sorted(failed):
            yield f"this right answer fails {name} ({trial.statuses[name]})."


def of_laws(laws: Sequence[Law]) -> list[str]:
    """Points that do not add up. That each law has its words is seen when the laws are collected."""
    sums = Counter[str]()
    for law in laws:
        sums[law.exercise.id] += law.points
    return [
        f"{exercise}: the points of its laws add up to {sums[exercise]}, not {POINTS_OF_AN_EXERCISE}."
        for exercise in EXERCISES
        if sums[exercise] != POINTS_OF_AN_EXERCISE
    ]


def of_build() -> list[str]:
    """Skeletons and notebooks that are not what the solutions, handouts and laws give."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        status = build_command(argparse.Namespace(check=True, lang=None))
    return [f"`grader build --check` says:\n{told.getvalue().rstrip()}"] if status else []


def of_leaks(handed_out: Path = EXERCISES_DIR) -> list[str]:
    """What of a solution stands in what students get."""
    return leaks({path.name: path.read_bytes() for path in sorted(handed_out.rglob("*.py"))})
