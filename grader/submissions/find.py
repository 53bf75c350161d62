"""Submissions in a folder, as the judge takes them: whose they are, each exercise's text, and remarks."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from grader.course import EXERCISES
from grader.submissions.archive import opened, scan_archive
from grader.submissions.arrivals import Arrival, Part
from grader.submissions.candidates import Candidate, Scan, at_most, choose
from grader.submissions.decode import decode
from grader.submissions.names import match_exercise, readable
from grader.submissions.notebook import code_of
from grader.submissions.platforms import Submitted
from grader.submissions.reading import (
    NOTEBOOK_LIMIT,
    SOURCE_LIMIT,
    Unreadable,
    modification_time,
    read_file,
)
from grader.submissions.tree import scan_folder

_MAX_ZIPS = 20


@dataclass(frozen=True)
class Submission:
    """What one student sent.

    An exercise id is in `sources` with its text, or in `unreadable` with a sentence that says why it cannot
    be graded, or in neither: not submitted. `sha256` is over all that can change a mark. `submitted` tells when it
    came, if that is known.
    """

    student: str
    sources: Mapping[str, str] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    submitted: Submitted | None = None

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


def read(arrival: Arrival, graded: Collection[str] = tuple(EXERCISES)) -> Submission:
    """The texts and remarks of one submission; whatever is wrong with it becomes a sentence.

    `graded` are the ids of the exercises that the time of submission is told of: another may have come later.
    """
    try:
        with ExitStack() as archives:
            scan = Scan()
            for part in arrival.parts:
                _scan_part(part, scan, archives)
            if not scan.candidates:
                _scan_zips_inside(scan, archives)
            return _assemble(arrival, scan, graded)
    except OSError as error:  # a disk that fails, a file that went while it was looked at
        return Submission(arrival.student, notes=(*arrival.notes, f"could not be read ({error.strerror or error})"))


def _scan_part(part: Part, scan: Scan, archives: ExitStack) -> None:
    if part.path.is_dir():
        scan.take_in(scan_folder(part.path))
    elif part.name.lower().endswith(".zip"):
        _scan_zip(part.path, readable(part.path.name), scan, archives)
    elif match := match_exercise(part.name):
        modified = modification_time(part.path.lstat().st_mtime)
        scan.candidates.append(Candidate(match, (part.name,), partial(read_file, part.path), modified))
    else:
        scan.see_archive(part.name)


def _scan_zip(path: Path, shown: str, scan: Scan, archives: ExitStack) -> None:
    try:
        scan.take_in(scan_archive(archives.enter_context(opened(path))))
    except Unreadable as reason:
        scan.remarks.append(f"{shown} {reason}")


def _scan_zips_inside(scan: Scan, archives: ExitStack) -> None:
    """Look into the zips of a folder without any exercise: some platforms put what was sent into a folder."""
    zips = {shown: path for shown, path in scan.archives.items() if path and shown.lower().endswith(".zip")}
    for shown, path in list(zips.items())[:_MAX_ZIPS]:
        del scan.archives[shown]
        _scan_zip(path, shown, scan, archives)


def _assemble(arrival: Arrival, scan: Scan, graded: Collection[str]) -> Submission:
    sources: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    notes = [*arrival.notes, *scan.notes]
    dated = []
    for exercise in EXERCISES.values():
        chosen, remarks = choose(exercise, scan.candidates)
        notes += remarks
        if chosen is None:
            continue
        if exercise.id in graded:
            dated.append(chosen)
        try:
            sources[exercise.id], remarks = _text_of(chosen)
            notes += [f"{chosen.path}: {remark}" for remark in remarks]
        except Unreadable as reason:
            unreadable[exercise.id] = f"{chosen.path} {reason}"
    if arrival.parts and not (scan.candidates or scan.remarks or scan.archives):
        notes.append("none of the five exercise files was found")
    if len(sources) < len(EXERCISES):
        notes += at_most([f"{path} is an archive inside the submission and was not opened" for path in scan.archives])
    submitted = arrival.submitted or _last_of(dated)
    return Submission(arrival.student, sources, unreadable, tuple(notes), submitted)


def _last_of(dated: Sequence[Candidate]) -> Submitted | None:
    """When the last of these files was taken in by nbgrader, or else written; if some times name a zone, of these."""
    known = []
    for candidate in dated:
        if candidate.handed_in:
            known.append(Submitted(candidate.handed_in, "nbgrader's timestamp.txt"))
        elif candidate.modified:
            known.append(Submitted(candidate.modified, "the files' own times"))
    zoned = [each for each in known if each.time.tzinfo]
    return max(zoned or known, key=lambda each: each.time, default=None)


def _text_of(candidate: Candidate) -> tuple[str, list[str]]:
    if candidate.match.notebook:
        text, remarks = code_of(decode(candidate.read(NOTEBOOK_LIMIT)), candidate.match.exercise.names)
    else:
        text, remarks = decode(candidate.read(SOURCE_LIMIT)), []
    if not text.strip():
        nothing = "has no cell with an answer" if candidate.match.notebook else "is empty"
        raise Unreadable(f"holds nothing to be graded: {'; '.join(remarks)}" if remarks else nothing)
    return text, remarks
