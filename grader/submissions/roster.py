"""The list of a class: who is in it, and by which names learning platforms and students call them."""

import csv
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.exit_status import Unusable
from grader.submissions.platforms import Submitted
from grader.submissions.reading import Unreadable, read_file

_LIMIT = 8_000_000
_COLUMNS = {
    "id": ("id", "studentid", "username", "userid", "loginid", "sisloginid", "login", "sid", "idnumber", "student"),
    "name": ("name", "fullname", "studentname"),
    "first": ("firstname", "givenname"),
    "last": ("lastname", "surname", "familyname"),
    "email": ("email", "emailaddress", "mail"),
    "aliases": ("aliases", "alias"),
    "submitted": ("submitted", "submittedat", "submissiontime"),
}


@dataclass(frozen=True)
class Enrolled:
    """One line of the roster. `exact` holds what is compared as it is, `name` in any order of its words."""

    id: str
    exact: tuple[str, ...] = ()
    name: str = ""
    submitted: Submitted | None = None


class Roster:
    """Finds the line that one of several names stands for."""

    def __init__(self, students: Sequence[Enrolled]) -> None:
        self.students = {student.id: student for student in students}
        self._exact: dict[str, set[str]] = {}
        self._names: dict[str, set[str]] = {}
        for student in students:
            for text in (student.id, *student.exact):
                self._exact.setdefault(_folded(text), set()).add(student.id)
            for text in _orders(student.name):
                self._names.setdefault(text, set()).add(student.id)

    def by_id(self, called: Iterable[str]) -> str | None:
        """The id that exactly one line has for one of these ids, addresses or aliases."""
        texts = list(called)
        return next((text for text in texts if text in self.students), None) or _only(
            self._exact.get(_folded(text), set()) for text in texts
        )

    def by_name(self, called: Iterable[str]) -> str | None:
        """The id of the one student who has one of these names, in any order of its words."""
        return _only(self._names.get(_squashed(text), set()) for text in called)


def _only(found: Iterable[set[str]]) -> str | None:
    return next((next(iter(ids)) for ids in found if len(ids) == 1), None)


def read_roster(path: Path) -> Roster:
    """The roster in a CSV file, whose first line names the columns.

    Needed is `id`; `name` (or `first name`, `last name`), `email`, `aliases` (parted by blanks or `|`) and
    `submitted` may be there. Columns are parted by commas, semicolons or tabs. `Unusable` says what is wrong.
    """
    try:
        raw = read_file(path, _LIMIT)
    except Unreadable as reason:
        raise Unusable(f"the roster {path} {reason}") from None
    try:
        text = raw.decode("utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable(f"the roster {path} is not valid UTF-8 at byte {error.start}; save it as UTF-8") from None
    lines = text.splitlines()
    heading = next((line for line in lines if line.strip()), "")
    delimiter = max(",;\t", key=heading.count)
    try:
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise Unusable(f"the roster {path} is no CSV file: {error}") from None
    columns = _columns(rows[0] if rows else [])
    if "id" not in columns:
        raise Unusable(f"the roster {path} needs a first line that names its columns, one of them `id`")
    students = [_enrolled(path, number, row, columns) for number, row in enumerate(rows[1:], start=2)]
    seen: set[str] = set()
    for student in students:
        if student.id in seen:
            raise Unusable(f"the roster {path} lists {student.id} twice")
        seen.add(student.id)
    if not students:
        raise Unusable(f"the roster {path} lists no one")
    return Roster(students)


def _columns(heading: Sequence[str]) -> dict[str, int]:
    names = [re.sub(r"[^a-z]", "", cell.casefold()) for cell in heading]
    places = {role: [names.index(each) for each in known if each in names] for role, known in _COLUMNS.items()}
    return {role: found[0] for role, found in places.items() if found}


def _enrolled(path: Path, number: int, row: Sequence[str], columns: dict[str, int]) -> Enrolled:
    def cell(role: str) -> str:
        place = columns.get(role, len(row))
        return unicodedata.normalize("NFC", row[place].strip()) if place < len(row) else ""

    if not cell("id"):
        raise Unusable(f"the roster {path} has no id in line {number}")
    submitted = None
    if cell("submitted"):
        try:
            submitted = Submitted(datetime.fromisoformat(cell("submitted")), "the roster")
        except ValueError:
            raise Unusable(
                f"the roster {path}, line {number}: {cell('submitted')!r} is no time like 2026-12-01T23:59+01:00"
            ) from None
    email = cell("email")
    exact = (email, email.partition("@")[0], *re.split(r"[\s|]+", cell("aliases")))
    name = cell("name") or f"{cell('first')} {cell('last')}"
    return Enrolled(cell("id"), tuple(filter(None, exact)), name.strip(), submitted)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _squashed(text: str) -> str:
    """Letters and digits only: `Lovelace, Ada` is `lovelaceada`, as Canvas writes it."""
    return "".join(character for character in _folded(text) if character.isalnum())


def _orders(name: str) -> set[str]:
    """A name with its last words in front, however many belong to the family name."""
    words = name.replace(",", " ").split()
    return {_squashed("".join(words[i:] + words[:i])) for i in range(len(words))}
