"""A class, graded: several judges at a time, one submission each, results as they are ready."""

import os
import selectors
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import hypothesis
import torch

from grader import __version__
from grader.course import EXERCISES, Exercise
from grader.judge import verdict
from grader.judge.catalogue import REPORT_FOLDERS, Catalogue, laws_sha256, reference_sources
from grader.judge.process import JudgeProcess, Round
from grader.judge.remote import RemoteImplementation
from grader.judge.workers import WorkerProcess, Zygote
from grader.laws.law import Law
from grader.results import ExerciseResult, LawResult, Provenance, StudentResult
from grader.submissions.find import Submission


@dataclass(frozen=True)
class Settings:
    """What a grading run was asked for."""

    exercises: list[Exercise]
    seed: int = 0
    device: Literal["cpu", "cuda"] = "cpu"
    jobs: int = 1
    follow_through: bool = True
    """Whether what fails on the student's own earlier parts is tried again on the reference's."""
    diagnosis: bool = True
    """Whether known mistakes are looked for where laws fail."""
    call_seconds: float = 5.0
    """CPU time of one call; being imported may take twice as much."""
    submission_seconds: float = 1800.0
    """Wall time for both rounds of one submission: the last resort, since calls and exercises have their own."""


@dataclass
class _Trial:
    """One submission before its judge, and what the rounds have found."""

    submission: Submission
    judge: JudgeProcess
    deadline: float
    own: dict[Law, LawResult] = field(default_factory=dict)
    reference: dict[Law, LawResult] = field(default_factory=dict)
    is_second_round: bool = False
    is_second_try: bool = False
    cpu_seconds: float = 0.0

    @property
    def out_of_time(self) -> bool:
        return time.monotonic() > self.deadline


class Batch:
    """Grades submissions with one zygote and one collected set of laws, of which `is_tried` may choose some."""

    def __init__(
        self,
        catalogue: Catalogue,
        zygote: Zygote,
        settings: Settings,
        is_tried: Callable[[Submission, Law], bool] = lambda *_: True,
    ) -> None:
        self.catalogue, self.zygote, self.settings, self.is_tried = catalogue, zygote, settings, is_tried
        self._laws_sha256 = laws_sha256(REPORT_FOLDERS)
        self._grader_version = f"{__version__}+{laws_sha256(['grader'])[:12]}"
        self._selector = selectors.DefaultSelector()
        self._idle: list[JudgeProcess] = []

    def provenance(self, submission: Submission) -> Provenance:
        """What this run's report of a submission is made from."""
        return Provenance(
            submission_sha256=submission.sha256,
            tests_sha256=self._laws_sha256,
            seed=self.settings.seed,
            device=self.settings.device,
            isolation=self.zygote.level,
            versions={
                "grader": self._grader_version,
                "hypothesis": hypothesis.__version__,
                "torch": torch.__version__,
            },
        )

    def would_repeat(self, report: StudentResult, submission: Submission) -> bool:
        """Whether grading `submission` would only make `report` again. What was our fault is worth another try."""
        return (
            verdict.is_complete(report.laws)
            and report.provenance == self.provenance(submission)
            and list(report.exercises) == [exercise.id for exercise in self.settings.exercises]
        )

    def grade(self, submissions: Iterable[Submission]) -> Generator[StudentResult]:
        """Each submission's result, as soon as it is known: not in order if there are several jobs."""
        waiting = iter(submissions)
        try:
            self._fill(waiting)
            while self._running():
                yield from self._take_in()
                self._fill(waiting)
        finally:
            for judge in [*self._idle, *(trial.judge for trial in self._running())]:
                judge.kill()
            self._idle.clear()
            self._selector.close()
            self._selector = selectors.DefaultSelector()

    def _running(self) -> list[_Trial]:
        return [key.data for key in self._selector.get_map().values()]

    def _fill(self, waiting: Iterator[Submission]) -> None:
        while len(self._running()) < self.settings.jobs:
            submission = next(waiting, None)
            if submission is None:
                return
            self._begin(submission)

    def _begin(self, submission: Submission, *, is_second_try: bool = False) -> None:
        judge = self._idle.pop() if self._idle else self._new_judge()
        laws = [
            law
            for exercise in self.settings.exercises
            if exercise.id in submission.sources
            for law in self.catalogue.of(exercise.id)
            if self.is_tried(submission, law)
        ]
        # Known mistakes are looked for where earlier parts are no matter: there are none, or they are the reference's.
        ready = [exercise for exercise in self.settings.exercises if not self._is_followed_through(exercise)]
        judge.begin(Round(laws, submission.sources, diagnosed=self._diagnosed(ready)))
        deadline = time.monotonic() + self.settings.submission_seconds
        trial = _Trial(submission, judge, deadline, is_second_try=is_second_try)
        self._selector.register(judge.pipe, selectors.EVENT_READ, trial)

    def _new_judge(self) -> JudgeProcess:
        others = [*self._idle, *(trial.judge for trial in self._running())]
        core = None
        if self.settings.device == "cpu":  # CUDA brings threads of its own
            taken = [judge.core for judge in others]
            core = min(sorted(os.sched_getaffinity(0)), key=taken.count)
        return JudgeProcess.start(self.catalogue, self._implementation, others, core)

    def _take_in(self) -> Iterator[StudentResult]:
        """Wait until a judge has something to tell or a submission has run out of time."""
        trials = self._running()
        patience = max(0.0, min(trial.deadline for trial in trials) - time.monotonic())
        told = [key.data for key, _ in self._selector.select(patience)]
        for trial in trials:
            ended = trial in told and not trial.judge.read()
            if ended or trial.out_of_time:
                self.zygote.check()
                self._end_round(trial)
                if not self._begin_second_round(trial):
                    self._dismiss(trial)
                    if self._deserves_another_try(trial):
                        self._begin(trial.submission, is_second_try=True)
                    else:
                        yield self._result(trial)

    def _end_round(self, trial: _Trial) -> None:
        trial.cpu_seconds += trial.judge.cpu_seconds
        if trial.is_second_round:
            trial.reference = trial.judge.results
        else:
            trial.own = trial.judge.results

    def _begin_second_round(self, trial: _Trial) -> bool:
        """Try again, on the reference's earlier parts, what failed on the student's own."""
        again = [
            law
            for law, result in trial.own.items()
            if self._is_followed_through(law.exercise) and result.status != "passed"
        ]
        if trial.is_second_round or not again or trial.out_of_time or not trial.judge.is_idle:
            return False
        trial.is_second_round = True
        diagnosed = self._diagnosed(dict.fromkeys(law.exercise for law in again))
        held = [law for law, result in trial.own.items() if result.status == "passed"]
        sources = trial.submission.sources
        trial.judge.begin(Round(again, sources, on_reference_parts=True, diagnosed=diagnosed, held=held))
        return True

    def _is_followed_through(self, exercise: Exercise) -> bool:
        return self.settings.follow_through and bool(exercise.needs)

    def _diagnosed(self, exercises: Iterable[Exercise]) -> list[str]:
        return [exercise.id for exercise in exercises] if self.settings.diagnosis else []

    def _deserves_another_try(self, trial: _Trial) -> bool:
        """Whether its judge ended by itself or was killed by someone else, or one of its workers was."""
        judge_failed = not trial.judge.is_idle and not trial.out_of_time
        results = [*trial.own.values(), *trial.reference.values()]
        return not trial.is_second_try and (judge_failed or verdict.was_disturbed(results))

    def _dismiss(self, trial: _Trial) -> None:
        """Let the judge go on to another submission, unless this one is still before it."""
        self._selector.unregister(trial.judge.pipe)
        if trial.judge.is_idle:
            self._idle.append(trial.judge)
        else:
            trial.judge.kill()

    def _implementation(self, exercise: Exercise, round: Round) -> RemoteImplementation:
        visible = (exercise.id, *exercise.needs)
        sources = {id: text for id, text in round.sources.items() if id in visible}
        if round.on_reference_parts:
            sources |= reference_sources(exercise.needs)
        files = {f"exercises/{EXERCISES[id].filename}": text for id, text in sources.items()}
        return RemoteImplementation(
            self._spawn,
            exercise,
            files,
            device=self.settings.device,
            call_seconds=self.settings.call_seconds,
            load_seconds=2 * self.settings.call_seconds,
        )

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
        return verdict.without_trial(law, "error", verdict.NO_REPORT)
