"""From the trials of one exercise to its result: what did not report, and marks that follow through."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grader.course import Exercise
from grader.diagnosis.words import with_diagnosis, with_diagnosis_elsewhere
from grader.judge.workers import KILLED_BY_SYSTEM, OUR_FAULT
from grader.laws.law import Law
from grader.results import ExerciseResult, FollowThrough, LawResult, LawStatus

Trial = Mapping[Law, LawResult]

NO_REPORT = "this law did not report. That is a fault of the grader, and a law that does not report is not passed."


def without_trial(law: Law, status: LawStatus, message: str) -> LawResult:
    """The result of a law that was never tried, or that never reported."""
    return LawResult(law.name, law.title, law.property, status, 0, law.points, message)


def not_submitted(exercise: Exercise, laws: Sequence[Law]) -> ExerciseResult:
    """Nothing was handed in: every law scores 0, and says so."""
    message = f"{exercise.filename} was not submitted."
    return ExerciseResult(
        exercise.id, "not_submitted", tuple(without_trial(law, "not_submitted", message) for law in laws)
    )


def unreadable(exercise: Exercise, laws: Sequence[Law], reason: str) -> ExerciseResult:
    """Something was handed in that is no text of a program."""
    tests = tuple(without_trial(law, "error", reason) for law in laws)
    return ExerciseResult(exercise.id, "graded", tests, (reason,))


def graded(exercise: Exercise, laws: Sequence[Law], own: Trial, reference: Trial) -> ExerciseResult:
    """Join the round on the student's own earlier parts with the one on the reference's.

    A law that failed on the student's own earlier parts and holds on the reference's has its points: the fault was
    marked down in the earlier exercise. Its message stays that of the first round, in which no reference code ran;
    of the second only the known mistakes come through, whose words are ours.
    """
    tests = tuple(_joined(own[law], reference.get(law)) for law in laws)
    return ExerciseResult(exercise.id, "graded", tests, _common_fault(tests))


def is_complete(results: Iterable[LawResult]) -> bool:
    """Whether each law reported on the submission: if not, that is our fault, and worth another try."""
    return not any(_says(result, NO_REPORT, OUR_FAULT) for result in results)


def was_disturbed(results: Iterable[LawResult]) -> bool:
    """Whether a worker was lost by our fault, or killed by no one of ours and at no limit."""
    return any(_says(result, OUR_FAULT, KILLED_BY_SYSTEM) for result in results)


def _says(result: LawResult, *beginnings: str) -> bool:
    """Whether a message of ours begins so. Of what is not started the message is the student's own."""
    return result.status != "not_started" and result.message.startswith(beginnings)


def _common_fault(tests: Sequence[LawResult]) -> tuple[str, ...]:
    """What all laws of an exercise ended with, such as a file that cannot be imported, as a remark on all of it."""
    messages = {test.message.partition("\n")[0] for test in tests}
    return tuple(messages) if len(messages) == 1 and all(test.status == "error" for test in tests) else ()


def _joined(own: LawResult, reference: LawResult | None) -> LawResult:
    if reference is None or own.status == reference.status == "not_started":
        return own
    followed = FollowThrough(own=own.status, reference=reference.status)
    if reference.status != "passed":
        explained = with_diagnosis(own, reference.diagnosis) if reference.diagnosis else own
        if explained.message != reference.message:
            explained = with_diagnosis_elsewhere(own, reference.diagnosis)
        return replace(explained, follow_through=followed)
    return replace(own, status="passed", score=own.max_score, follow_through=followed)
