"""The files of one submission that could be graded, and the rule that picks one for each exercise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from grader.course import Exercise
from grader.submissions.names import Match, shown

_MAX_NOTES = 20
_ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".xz")


@dataclass(frozen=True)
class Candidate:
    """A file named like an exercise: `parts` is its path in the submission, `read` takes a size limit.

    `modified` is when it was last written, without a zone where the zip names none; `handed_in` is when nbgrader took
    its assignment in.
    """

    match: Match
    parts: tuple[str, ...]
    read: Callable[[int], bytes]
    modified: datetime | None = None
    handed_in: datetime | None = None

    @property
    def path(self) -> str:
        return "/".join(self.parts)

    @property
    def rank(self) -> tuple[object, ...]:
        """Smallest first: what nbgrader would grade, modules, exact names, those under `exercises/`, the shallowest,
        then by name."""
        # In an nbgrader assignment, modules beside the notebook are there to be imported.
        is_assignment = self.match.notebook and self.parts[-2:-1] == (self.match.exercise.module,)
        under_exercises = "exercises" in self.parts[:-1]
        order = (self.match.notebook, not self.match.exact, not under_exercises, len(self.parts), self.parts)
        return not is_assignment, *order


@dataclass
class Scan:
    """What was seen in one submission: candidates, archives, and sentences about what was left out.

    `archives` has the paths in the submission, and where each lies on disk if it is not itself in a zip.
    """

    candidates: list[Candidate] = field(default_factory=list)
    archives: dict[str, Path | None] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def see_archive(self, path: str, file: Path | None = None) -> None:
        """Remember `path` if it is an archive: unless it is opened, the student should know."""
        if path.lower().endswith(_ARCHIVES):
            self.archives[path] = file

    def take_in(self, other: "Scan") -> None:
        """Add what was seen elsewhere in the same submission."""
        self.candidates += other.candidates
        self.archives |= other.archives
        self.remarks += other.remarks

    @property
    def notes(self) -> list[str]:
        """The remarks; of very many, the first and a count."""
        return at_most(self.remarks)


def at_most(remarks: Sequence[str]) -> list[str]:
    """The first remarks, and how many more there were."""
    left = len(remarks) - _MAX_NOTES
    return list(remarks) if left <= 0 else [*remarks[:_MAX_NOTES], f"and {left} more of this kind"]


def choose(exercise: Exercise, candidates: Sequence[Candidate]) -> tuple[Candidate | None, list[str]]:
    """The candidate for `exercise` to be graded, with a note if there are others or its name is inexact."""
    mine = sorted((one for one in candidates if one.match.exercise == exercise), key=lambda one: one.rank)
    if not mine:
        return None, []
    chosen, *others = mine
    notes = []
    if others:
        # Sorted, then cut: a submission may hold a thousand copies.
        left_out = ", ".join(shown(other.path) for other in others[:3]) + (" …" if len(others) > 3 else "")
        notes.append(f"{exercise.filename} was found {len(mine)} times: {shown(chosen.path)} is graded, not {left_out}")
    elif not chosen.match.exact:
        notes.append(f"{shown(chosen.path)} was taken for {exercise.filename}")
    return chosen, notes
