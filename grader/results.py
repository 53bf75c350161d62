"""What a grading run knows, as plain data. Everything that is written to disk is made from these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from grader.laws.drawing import Drawing, as_text

LawStatus = Literal["passed", "failed", "not_started", "error", "timeout", "out_of_memory", "not_submitted"]
ExerciseStatus = Literal["graded", "not_submitted"]


@dataclass(frozen=True)
class FollowThrough:
    """A law of a later exercise, tried on the student's own earlier parts and again on the reference's.

    `own` is what happened on the student's own parts; the law's score is that of `reference`.
    Of the second trial only known mistakes are ever named beside that, since reference code was in the process.
    """

    own: LawStatus
    reference: LawStatus


@dataclass(frozen=True)
class LawResult:
    """One law on one submission. `score` is either 0 or `max_score`.

    `case` says on which case it failed, and `drawings` show that case's tensors.
    """

    name: str
    title: str
    property: str
    status: LawStatus
    score: float
    max_score: float
    message: str = ""
    case: str = ""
    drawings: tuple[Drawing, ...] = ()
    diagnosis: tuple[Mapping[str, str], ...] = ()
    follow_through: FollowThrough | None = None
    seconds: float = 0.0


def in_words(case: str, drawings: Sequence[Drawing]) -> str:
    """A counterexample as plain text: on which case, and its tensors in aligned columns."""
    return "\n".join(part for part in (case, as_text(drawings)) if part)


@dataclass(frozen=True)
class ExerciseResult:
    """One exercise of one submission: its laws in their file's order, and remarks for the reader."""

    exercise: str
    status: ExerciseStatus
    tests: tuple[LawResult, ...]
    notes: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        return sum(test.score for test in self.tests)

    @property
    def max_score(self) -> float:
        return sum(test.max_score for test in self.tests)


@dataclass(frozen=True)
class Provenance:
    """What a report was made from: enough to make it again."""

    submission_sha256: str
    tests_sha256: str
    seed: int
    device: str
    isolation: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class StudentResult:
    """One student's result over all the exercises that were graded."""

    student: str
    exercises: Mapping[str, ExerciseResult]
    provenance: Provenance
    notes: tuple[str, ...] = ()
    cpu_seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def laws(self) -> list[LawResult]:
        """The laws of all exercises."""
        return [law for exercise in self.exercises.values() for law in exercise.tests]

    @property
    def remarks(self) -> list[str]:
        """All that was noted about the submission, each sentence once."""
        notes = [*self.notes, *(note for exercise in self.exercises.values() for note in exercise.notes)]
        return list(dict.fromkeys(notes))

    def brief(self) -> "StudentResult":
        """This without what only the student's own page tells: of a class of thousands, all are held in memory."""

        def shortened(exercise: ExerciseResult) -> ExerciseResult:
            laws = (replace(law, message="", case="", drawings=()) for law in exercise.tests)
            return replace(exercise, tests=tuple(laws))

        return replace(self, exercises={name: shortened(exercise) for name, exercise in self.exercises.items()})

    @property
    def score(self) -> float:
        return sum(exercise.score for exercise in self.exercises.values())

    @property
    def max_score(self) -> float:
        return sum(exercise.max_score for exercise in self.exercises.values())
