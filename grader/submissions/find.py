"""Submissions in a folder, as the judge takes them: whose they are, each exercise's text, and remarks."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.course import EXERCISES
from grader.submissions.archive import opened, scan_archive
from grader.submissions.candidates import Candidate, Scan, at_most, choose
from grader.submissions.decode import decode
from grader.submissions.names import is_clutter, match_exercise, readable
from grader.submissions.notebook import code_of
from grader.submissions.reading import NOTEBOOK_LIMIT, SOURCE_LIMIT, Unreadable
from grader.submissions.tree import scan_folder


class UnusableInput(Exception):
    """The folder of submissions cannot be used at all; the text is a sentence for the person who named it."""


@dataclass(frozen=True)
class Arrival:
    """One student's folder or zip, not read yet."""

    student: str
    path: Path
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Submission:
    """What one student sent.

    An exercise id is in `sources` with its text, or in `unreadable` with a sentence that says why it cannot
    be graded, or in neither: not submitted. `sha256` is over all that can change a mark.
    """

    student: str
    sources: Mapping[str, str] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        digest = hashlib.sha256()
        for exercise in EXERCISES:
            for kind, texts in (("source", self.sources), ("unreadable", self.unreadable)):
                if exercise in texts:
                    text = texts[exercise].encode("utf-8")
                    digest.update(f"{exercise} {kind} {len(text)}\n".encode())
                    digest.update(text)
        return digest.hexdigest()


def find(folder: Path) -> list[Submission]:
    """Every student's submission in `folder`, ordered by name; `UnusableInput` if there is none."""
    arrivals, _ = locate(folder)
    return [read(arrival) for arrival in arrivals]


def locate(folder: Path) -> tuple[list[Arrival], list[str]]:
    """Who sent something, ordered by name, and sentences about what in `folder` is no submission.

    A student is a folder or a `.zip` of that name. If there are both, the folder is graded; of zips that
    differ only in the case of `.zip`, the first by name. The root of an nbgrader course stands for its
    `submitted` folder.
    `UnusableInput` if `folder` cannot be read or holds no student.
    """
    folder = _submitted(folder)
    found: dict[str, list[os.DirEntry[str]]] = {}
    notes = []
    for entry in _listing(folder):
        student, remark = _student_of(entry)
        if student is not None:
            found.setdefault(student, []).append(entry)
        elif remark:
            notes.append(remark)
    if not found:
        raise UnusableInput(_nothing_in(folder))
    arrivals = []
    for student in sorted(found, key=lambda name: (name.casefold(), name)):
        graded, *others = sorted(found[student], key=lambda entry: (not entry.is_dir(), entry.name))
        taken = readable(graded.name)
        notes_of = [f"sent more than once: {taken} is graded, not {readable(other.name)}" for other in others]
        arrivals.append(Arrival(student, Path(graded.path), tuple(notes_of)))
    return arrivals, at_most(notes)


def read(arrival: Arrival) -> Submission:
    """The texts and remarks of one submission; whatever is wrong with it becomes a sentence."""
    if arrival.path.is_dir():
        return _assemble(arrival, scan_folder(arrival.path))
    try:
        with opened(arrival.path) as archive:
            return _assemble(arrival, scan_archive(archive))
    except Unreadable as reason:
        return Submission(arrival.student, notes=(*arrival.notes, f"{readable(arrival.path.name)} {reason}"))


def _assemble(arrival: Arrival, scan: Scan) -> Submission:
    sources: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    notes = [*arrival.notes, *scan.notes]
    for exercise in EXERCISES.values():
        chosen, remarks = choose(exercise, scan.candidates)
        notes += remarks
        if chosen is None:
            continue
        try:
            sources[exercise.id], remarks = _text_of(chosen)
            notes += [f"{chosen.path}: {remark}" for remark in remarks]
        except Unreadable as reason:
            unreadable[exercise.id] = f"{chosen.path} {reason}"
    if not scan.candidates:
        notes.append("none of the five exercise files was found")
    if len(sources) < len(EXERCISES):
        notes += at_most(
            [f"{path} is an archive inside the submission and was not opened" for path in scan.archives]
        )
    return Submission(arrival.student, sources, unreadable, tuple(notes))


def _text_of(candidate: Candidate) -> tuple[str, list[str]]:
    if candidate.match.notebook:
        return code_of(decode(candidate.read(NOTEBOOK_LIMIT)), candidate.match.exercise.names)
    return decode(candidate.read(SOURCE_LIMIT)), []


def _submitted(folder: Path) -> Path:
    inner = folder / "submitted"
    is_course = (folder / "nbgrader_config.py").is_file() and inner.is_dir() and not inner.is_symlink()
    return inner if is_course else folder


def _listing(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        raise UnusableInput(f"{folder} does not exist.") from None
    except NotADirectoryError:
        raise UnusableInput(
            f"{folder} is not a folder; give the folder that holds the submissions."
        ) from None
    except OSError as error:
        raise UnusableInput(f"{folder} cannot be opened: {error.strerror or error}.") from None


def _student_of(entry: os.DirEntry[str]) -> tuple[str | None, str]:
    """The student whose folder or zip `entry` is, or None and a remark (empty for clutter)."""
    if is_clutter(entry.name):
        return None, ""
    name = readable(entry.name)
    if entry.is_symlink():
        return None, f"{name} is a link; links are not followed"
    if entry.is_dir(follow_symlinks=False):
        return name, ""
    if not entry.is_file(follow_symlinks=False):
        return None, f"{name} is neither a file nor a folder and was not opened"
    if name.lower().endswith(".zip"):
        return name[: -len(".zip")], ""
    return None, f"{name} is a file where a student's folder or zip is expected"


def _nothing_in(folder: Path) -> str:
    loose = [entry.name for entry in _listing(folder) if match_exercise(entry.name)]
    if loose:
        return (
            f"{folder} holds {loose[0]} itself; give the folder above it, which holds one folder per student."
        )
    return f"{folder} holds no submissions: no student's folder and no .zip."
