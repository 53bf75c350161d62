"""Who sent something, and where it lies: a folder or zip per student, or a learning platform's bulk download."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.exit_status import Unusable
from grader.submissions.candidates import at_most
from grader.submissions.names import is_clutter, match_exercise, readable
from grader.submissions.platforms import (
    GRADESCOPE_METADATA,
    Sender,
    Submitted,
    gradescope_senders,
    senders_by_name,
)
from grader.submissions.reading import Unreadable
from grader.submissions.roster import Roster


@dataclass(frozen=True)
class Part:
    """A folder, a zip or a file that one student sent; `name` is what the student called it."""

    path: Path
    name: str


@dataclass(frozen=True)
class Arrival:
    """What one student sent, not read yet: no parts if nothing, and the roster tells that it was expected."""

    student: str
    parts: tuple[Part, ...] = ()
    notes: tuple[str, ...] = ()
    submitted: Submitted | None = None


@dataclass(frozen=True)
class _Sent:
    """An entry of the folder of submissions, and one of its senders."""

    sender: Sender
    part: Part
    is_folder: bool

    @property
    def rank(self) -> tuple[object, ...]:
        """Smallest first: what was put there by hand, a folder before a zip; then a platform's download."""
        return bool(self.sender.platform), not self.is_folder, self.part.path.name


def locate(folder: Path, roster: Roster | None = None) -> tuple[list[Arrival], list[str]]:
    """Who sent something, ordered by name, and sentences about what in `folder` is no submission.

    A student is a folder or a `.zip` of that name, or whom a platform's rule names; with a roster, the line that
    has one of these names. Of several, a folder is graded before a zip, a zip before a platform's download, and the
    first by name of either; of a platform's attempts the last. Whom the roster lists beyond these has sent nothing.
    The root of an nbgrader course stands for its `submitted` folder. `Unusable` if `folder` cannot be read or
    holds no student.
    """
    folder = _submitted(folder)
    sent, notes = _entries(folder)
    if not sent:
        raise Unusable(_nothing_in(folder))
    students = {} if roster is None else _enrolled(sent, roster, notes)
    found: dict[str, list[_Sent]] = {}
    for each in sent:
        found.setdefault(students.get(each.sender.key, each.sender.key), []).append(each)
    arrivals = []
    for student, theirs in found.items():
        arrival = _arrival(student, theirs)
        if roster is not None:
            arrival = _as_enrolled(arrival, roster)
        arrivals.append(arrival)
    if roster is not None:
        arrivals += [Arrival(id, notes=("nothing was sent",)) for id in roster.students if id not in found]
    return sorted(arrivals, key=lambda each: (each.student.casefold(), each.student)), at_most(notes)


def _entries(folder: Path) -> tuple[list[_Sent], list[str]]:
    """Each entry that is someone's, once per sender, and remarks about the others."""
    notes: list[str] = []
    usable = [entry for entry in _listing(folder) if _may_be_opened(entry, notes)]
    try:
        exported = gradescope_senders(folder)
    except Unreadable as reason:
        raise Unusable(f"{folder / GRADESCOPE_METADATA} {reason}") from None
    by_rule = senders_by_name(
        [readable(entry.name) for entry in usable if entry.is_dir()],
        [readable(entry.name) for entry in usable if not entry.is_dir()],
    )
    sent = []
    for entry in usable:
        name = readable(entry.name)
        senders = exported.get(name) or ([by_rule[name]] if name in by_rule else _by_hand(entry))
        sent += [_Sent(each, Part(Path(entry.path), each.file or name), entry.is_dir()) for each in senders]
        if not senders and name != GRADESCOPE_METADATA:
            notes.append(f"{name} is a file where a student's folder or zip is expected")
    return sent, notes


def _by_hand(entry: os.DirEntry[str]) -> list[Sender]:
    """The student after whom an instructor, or the student, has named a folder or a zip."""
    name = readable(entry.name)
    if not entry.is_dir():
        if not name.lower().endswith(".zip"):
            return []
        name = name[: -len(".zip")]
    return [Sender(name, (name,))]


def _may_be_opened(entry: os.DirEntry[str], notes: list[str]) -> bool:
    if is_clutter(entry.name):
        return False
    if entry.is_symlink():
        notes.append(f"{readable(entry.name)} is a link; links are not followed")
        return False
    if not entry.is_dir(follow_symlinks=False) and not entry.is_file(follow_symlinks=False):
        notes.append(f"{readable(entry.name)} is neither a file nor a folder and was not opened")
        return False
    return True


def _enrolled(sent: Sequence[_Sent], roster: Roster, notes: list[str]) -> Mapping[str, str]:
    """The roster's ids by the senders' keys. Two whom a platform tells apart are never taken for one by their name."""
    names = {each.sender.key: (each.sender.key, *each.sender.called) for each in sent}
    ids = {key: id for key, called in names.items() if (id := roster.by_id(called))}
    by_name = {key: id for key, called in names.items() if key not in ids and (id := roster.by_name(called))}
    of_platforms = [each.sender.key for each in sent if each.sender.platform]
    sure = {ids[key] for key in of_platforms if key in ids}
    claims: dict[str, set[str]] = {}
    for key in of_platforms:
        if key in by_name:
            claims.setdefault(by_name[key], set()).add(key)
    for id, keys in claims.items():
        if id in sure or len(keys) > 1:
            by_name = {key: known for key, known in by_name.items() if key not in keys}
            who = " and ".join(sorted(keys))
            notes.append(
                f"{who} may be {id} of the roster, but so may others: add the platform's number to its aliases"
            )
    return ids | by_name


def _arrival(student: str, sent: Sequence[_Sent]) -> Arrival:
    graded = min(sent, key=lambda each: each.rank)
    others = [each for each in sent if each != graded]
    chosen = [graded]
    notes: list[str] = []
    if graded.sender.platform:
        last = max(each.sender.attempt for each in sent)
        chosen = [each for each in sent if each.sender.attempt == last]
        others = [each for each in sent if each.sender.attempt != last]
    if others:
        taken, left = (", ".join(_names(each)) for each in (chosen, others))
        notes.append(f"sent more than once: {taken} is graded, not {left}")
    notes = [*dict.fromkeys(note for each in chosen for note in each.sender.notes), *notes]
    submitted = chosen[0].sender.submitted
    return Arrival(student, tuple(each.part for each in chosen), tuple(notes), submitted)


def _names(sent: Sequence[_Sent]) -> Iterator[str]:
    names = sorted(readable(each.part.path.name) for each in sent)
    yield from names[:3]
    if len(names) > 3:
        yield "…"


def _as_enrolled(arrival: Arrival, roster: Roster) -> Arrival:
    line = roster.students.get(arrival.student)
    if line is None:
        return replace(arrival, notes=(*arrival.notes, "not in the roster"))
    return replace(arrival, submitted=line.submitted or arrival.submitted)


def _submitted(folder: Path) -> Path:
    inner = folder / "submitted"
    is_course = (folder / "nbgrader_config.py").is_file() and inner.is_dir() and not inner.is_symlink()
    return inner if is_course else folder


def _listing(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        raise Unusable(f"{folder} does not exist.") from None
    except NotADirectoryError:
        hint = "unpack it and " if folder.suffix.lower() == ".zip" else ""
        raise Unusable(f"{folder} is not a folder; {hint}give the folder that holds the submissions.") from None
    except OSError as error:
        raise Unusable(f"{folder} cannot be opened: {error.strerror or error}.") from None


def _nothing_in(folder: Path) -> str:
    loose = [entry.name for entry in _listing(folder) if match_exercise(entry.name)]
    if loose:
        return f"{folder} holds {loose[0]} itself; give the folder above it, which holds one folder per student."
    return f"{folder} holds no submissions: no student's folder and no .zip."
