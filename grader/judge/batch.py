"""A class, graded: several submissions at a time, each in its own judge process, results as they are ready."""

import itertools
import selectors
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import hypothesis
import torch

from grader import __version__
from grader.course import EXERCISES, Exercise
from grader.judge import round as rounds
from grader.judge import verdict
from grader.judge.catalogue import Catalogue, laws_sha256, reference_sources
from grader.judge.remote import RemoteImplementation
from grader.judge.workers import WorkerProcess, Zygote
from grader.laws.law import Law
from grader.results import ExerciseResult, LawResult, LawStatus, Provenance, StudentResult
from grader.submissions.find import Submission

NOT_TRIED_AGAIN: tuple[LawStatus, ...] = ("passed", "not_started")


@dataclass(frozen=True)
class Settings:
    """What a grading run was asked for."""

    exercises: Sequence[Exercise]
    seed: int = 0
    device: Literal["cpu", "cuda"] = "cpu"
    jobs: int = 1
    submission_seconds: float = 900.0
    """Wall time for both rounds of one submission: the last resort, since each call has its own limits."""


@dataclass
class _Trial:
    """One submission on its way: the round that runs, and what it and earlier ones found."""

    submission: Submission
    deadline: float
    round: rounds.Round
    own: dict[Law, LawResult] = field(default_factory=dict)
    reference: dict[Law, LawResult] = field(default_factory=dict)
    is_second_round: bool = False
    cpu_seconds: float = 0.0

    @property
    def out_of_time(self) -> bool:
        return time.monotonic() > self.deadline


class Batch:
    """Grades submissions with one zygote and one collected set of laws."""

    def __init__(self, catalogue: Catalogue, zygote: Zygote, settings: Settings) -> None:
        self.catalogue, self.zygote, self.settings = catalogue, zygote, settings
        self._laws_sha256 = laws_sha256()
        self._selector = selectors.DefaultSelector()

    def provenance(self, submission: Submission) -> Provenance:
        """What this run's report of a submission is made from."""
        return Provenance(
            submission_sha256=submission.sha256,
            tests_sha256=self._laws_sha256,
            seed=self.settings.seed,
            device=self.settings.device,
            isolation=self.zygote.level,
            versions={
                "grader": __version__,
                "hypothesis": hypothesis.__version__,
                "torch": torch.__version__,
            },
        )

    def would_repeat(self, report: StudentResult, submission: Submission) -> bool:
        """Whether grading `submission` would only make `report` again."""
        return (
            report.provenance == self.provenance(submission)
            and report.notes == submission.notes
            and list(report.exercises) == [exercise.id for exercise in self.settings.exercises]
        )

    def grade(self, submissions: Iterable[Submission]) -> Iterator[StudentResult]:
        """Each submission's result, as soon as it is known: not in order if there are several jobs."""
        waiting = iter(submissions)
        try:
            self._fill(waiting)
            while self._running():
                yield from self._take_in()
                self._fill(waiting)
        finally:
            for trial in self._running():
                self._end_round(trial)

    def _fill(self, waiting: Iterator[Submission]) -> None:
        free = self.settings.jobs - len(self._running())
        for submission in itertools.islice(waiting, free):
            self._begin(submission)

    def _running(self) -> list[_Trial]:
        return [key.data for key in self._selector.get_map().values()]

    def _begin(self, submission: Submission) -> None:
        laws = [
            law
            for exercise in self.settings.exercises
            if exercise.id in submission.sources
            for law in self.catalogue.of(exercise.id)
        ]
        first = rounds.start(self.catalogue, laws, lambda exercise: self._on_own_parts(exercise, submission))
        trial = _Trial(submission, time.monotonic() + self.settings.submission_seconds, first)
        self._selector.register(first.pipe, selectors.EVENT_READ, trial)

    def _take_in(self) -> Iterator[StudentResult]:
        """Wait until a round has something to tell or has run out of time."""
        trials = self._running()
        patience = max(0.0, min(trial.deadline for trial in trials) - time.monotonic())
        told = [key.data for key, _ in self._selector.select(patience)]
        for trial in trials:
            ended = trial in told and not trial.round.read()
            if ended or trial.out_of_time:
                self._end_round(trial)
                if not self._begin_second_round(trial):
                    yield self._result(trial)

    def _end_round(self, trial: _Trial) -> None:
        self._selector.unregister(trial.round.pipe)
        trial.round.finish()
        trial.cpu_seconds += trial.round.cpu_seconds
        if trial.is_second_round:
            trial.reference = trial.round.results
        else:
            trial.own = trial.round.results

    def _begin_second_round(self, trial: _Trial) -> bool:
        """Try again, on the reference's earlier parts, what failed on the student's own."""
        again = [
            law
            for law, result in trial.own.items()
            if law.exercise.needs and result.status not in NOT_TRIED_AGAIN
        ]
        if trial.is_second_round or not again or trial.out_of_time:
            return False
        trial.is_second_round = True
        trial.round = rounds.start(
            self.catalogue, again, lambda exercise: self._on_reference_parts(exercise, trial.submission)
        )
        self._selector.register(trial.round.pipe, selectors.EVENT_READ, trial)
        return True

    def _on_own_parts(self, exercise: Exercise, submission: Submission) -> RemoteImplementation:
        visible = (exercise.id, *exercise.needs)
        return self._implementation(
            exercise, {id: text for id, text in submission.sources.items() if id in visible}
        )

    def _on_reference_parts(self, exercise: Exercise, submission: Submission) -> RemoteImplementation:
        return self._implementation(
            exercise, {**reference_sources(exercise.needs), exercise.id: submission.sources[exercise.id]}
        )

    def _implementation(self, exercise: Exercise, sources: Mapping[str, str]) -> RemoteImplementation:
        files = {f"exercises/{EXERCISES[id].filename}": text for id, text in sources.items()}
        return RemoteImplementation(self._spawn, exercise, files, device=self.settings.device)

    def _spawn(self) -> WorkerProcess:
        return self.zygote.spawn(device=self.settings.device)

    def _result(self, trial: _Trial) -> StudentResult:
        return StudentResult(
            student=trial.submission.student,
            exercises={exercise.id: self._exercise(exercise, trial) for exercise in self.settings.exercises},
            provenance=self.provenance(trial.submission),
            notes=trial.submission.notes,
            cpu_seconds={"judge": round(trial.cpu_seconds, 3)},
        )

    def _exercise(self, exercise: Exercise, trial: _Trial) -> ExerciseResult:
        laws = self.catalogue.of(exercise.id)
        if exercise.id in trial.submission.unreadable:
            return verdict.unreadable(exercise, laws, trial.submission.unreadable[exercise.id])
        if exercise.id not in trial.submission.sources:
            return verdict.not_submitted(exercise, laws)
        own = {law: trial.own.get(law) or self._without_report(law, trial) for law in laws}
        return verdict.graded(exercise, laws, own, trial.reference)

    def _without_report(self, law: Law, trial: _Trial) -> LawResult:
        if trial.out_of_time:
            seconds = self.settings.submission_seconds
            why = f"the {seconds:g} seconds for this whole submission were used up before this law was tried."
            return verdict.without_trial(law, "timeout", why)
        why = "this law did not report. That is a fault of the grader, and a law that does not report is not passed."
        return verdict.without_trial(law, "error", why)
