"""Known answers, tried by the grader as any submission is; what is finished is kept in a file."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader.bank import Entry, entries
from grader.course import EXERCISES, EXERCISES_DIR, SOLUTIONS, Exercise
from grader.judge.batch import Batch, Settings
from grader.judge.catalogue import Catalogue, laws_sha256, reference_sources
from grader.judge.workers import Zygote
from grader.laws.law import Law
from grader.reports.files import write_whole
from grader.results import LawStatus
from grader.submissions.find import Submission


@dataclass(frozen=True)
class Answer:
    """An answer to one exercise, of which it is known how it has to fare. Only a bank's answer has an `entry`."""

    id: str
    kind: Literal["skeleton", "solution", "wrong", "right"]
    exercise: Exercise
    source: str
    entry: Entry | None = None


@dataclass(frozen=True)
class Trial:
    """How one answer fared on one seed, law by law."""

    answer: Answer
    seed: int
    statuses: Mapping[str, LawStatus]


def answers(exercise: Exercise) -> list[Answer]:
    """The skeleton, the solution, and the bank's answers to one exercise."""
    return [
        Answer("skeleton", "skeleton", exercise, (EXERCISES_DIR / exercise.filename).read_text(encoding="utf-8")),
        Answer("solution", "solution", exercise, (SOLUTIONS / exercise.filename).read_text(encoding="utf-8")),
        *(Answer(e.id, "wrong", exercise, e.source, e) for e in entries("wrong", exercise)),
        *(Answer(e.id, "right", exercise, e.source, e) for e in entries("right", exercise)),
    ]


class Trials:
    """Tries answers on one seed after the other, on the laws that `is_tried` chooses.

    `kept` is the file in which finished trials are found again.
    """

    def __init__(self, kept: Path, *, jobs: int, is_tried: Callable[[Answer, Law], bool] = lambda *_: True) -> None:
        self._kept, self._jobs, self._is_tried = kept, jobs, is_tried
        self._laws = laws_sha256()
        *lines, cut_off = kept.read_text(encoding="utf-8").split("\n") if kept.exists() else [""]
        if cut_off:
            write_whole(kept, "".join(f"{line}\n" for line in lines))
        self._known: dict[str, Mapping[str, LawStatus]] = {
            trial["key"]: trial["statuses"] for trial in map(json.loads, lines)
        }

    def run(
        self, catalogue: Catalogue, zygote: Zygote, seed: int, asked: Mapping[Exercise, Sequence[Answer]]
    ) -> Iterator[Trial]:
        """The trials of all answers, by exercise."""
        for exercise, of_exercise in asked.items():
            laws = {answer: self._laws_for(answer, catalogue) for answer in of_exercise}
            keys = {answer: self._key(answer, seed, laws[answer]) for answer in of_exercise}
            new = [answer for answer in of_exercise if keys[answer] not in self._known]
            for answer in of_exercise:
                if answer not in new:
                    yield Trial(answer, seed, self._known[keys[answer]])
            for answer, statuses in self._new(catalogue, zygote, seed, exercise, {each: laws[each] for each in new}):
                with self._kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": keys[answer], "statuses": statuses}) + "\n")
                yield Trial(answer, seed, statuses)

    def _laws_for(self, answer: Answer, catalogue: Catalogue) -> list[str]:
        return [law.name for law in catalogue.of(answer.exercise.id) if self._is_tried(answer, law)]

    def _new(
        self,
        catalogue: Catalogue,
        zygote: Zygote,
        seed: int,
        exercise: Exercise,
        laws: Mapping[Answer, Sequence[str]],
    ) -> Iterator[tuple[Answer, Mapping[str, LawStatus]]]:
        by_id = {answer.id: answer for answer in laws}
        earlier = reference_sources(exercise.needs)
        batch = Batch(
            catalogue,
            zygote,
            Settings([exercise], seed=seed, jobs=self._jobs, follow_through=False, diagnosis=False),
            lambda submission, law: law.name in laws[by_id[submission.student]],
        )
        submissions = [Submission(answer.id, {**earlier, exercise.id: answer.source}) for answer in laws]
        for result in batch.grade(submissions):
            answer = by_id[result.student]
            tests = result.exercises[exercise.id].tests
            yield answer, {law.name: law.status for law in tests if law.name in laws[answer]}

    def _key(self, answer: Answer, seed: int, laws: Sequence[str]) -> str:
        parts = (self._laws, str(seed), answer.exercise.id, answer.id, answer.source, *laws)
        return hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()


def is_tried_quickly(answer: Answer, law: Law) -> bool:
    """For a quick audit: of the laws, wrong answers are only tried on those that they name."""
    return not (answer.kind == "wrong" and answer.entry and law.name not in answer.entry.laws)


def all_answers() -> dict[Exercise, list[Answer]]:
    """Every known answer of the course."""
    return {exercise: answers(exercise) for exercise in EXERCISES.values()}
