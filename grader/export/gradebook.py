"""Points in an export of Canvas' or Moodle's own gradebook: its columns and rows are found, all else is left alone."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.course import EXERCISES
from grader.export.table import Table
from grader.reports.text import one_line, tidy
from grader.results import StudentResult

TOTAL = "total"
FINAL = "final"
"""What a late policy leaves of the total."""
COURSE = "A Transformer by hand"
EXCUSED = "EX"
"""Canvas' word in the place of points."""


_SURNAMES = ("last name", "surname")


class NoSuchColumn(Exception):
    """The template has no column to write to, or not the one that was named; the text is a sentence."""


@dataclass(frozen=True)
class Dialect:
    """How a platform's file is read. Headers are compared without regard to case.

    `number` is the column of the platform's own number of a student, which it also puts into the names of downloaded
    submissions; `ids` and `names` say whose a row is, too. `plain` takes from a header what the platform adds to the
    name that people gave.
    """

    number: str
    ids: tuple[str, ...]
    names: tuple[str, ...]
    plain: Callable[[str], str]

    @property
    def whose(self) -> set[str]:
        """The columns that say whose a row is, in lower case."""
        return {name.casefold() for name in (self.number, *self.ids, *self.names, *_SURNAMES)}


CANVAS = Dialect(
    number="ID",
    ids=("SIS User ID", "SIS Login ID"),
    names=("Student",),
    plain=lambda header: re.sub(r" \(\d+\)$", "", header),  # an assignment's own number
)
MOODLE = Dialect(
    number="Identifier",
    ids=("Username", "ID number", "Email address"),
    names=("Full name", "First name"),
    plain=lambda header: re.sub(r"^[^:]+: | \(Real\)$", "", header),  # the kind of activity, and of number
)


def fill(
    table: Table,
    dialect: Dialect,
    results: Sequence[StudentResult],
    chosen: Mapping[str, str],
    keeps: Mapping[str, float],
) -> tuple[int, list[str]]:
    """Write the points of `results` into `table`; how many students got any, and what could not be written, in words.

    `chosen` maps exercise ids, `total` or `final` to headers. An exercise without one goes to the column that is called
    after it: `ex2`, `ex2_attention` or its title. The total goes to one called after the course, `final` to none.
    `keeps` is the part that a late policy leaves to each student, of which only `final` knows.

    Raises:
        NoSuchColumn: if a chosen column is not there, or no column is found at all.
    """
    columns = _columns(table, dialect, chosen)
    remarks = []
    for what, column in list(columns.items()):
        ours = {text for result in results if (text := _points(result, what, 1.0, most=True)) is not None}
        for theirs in sorted(_other_maxima(table, column, ours)):
            of_ours = f"that of {what} is {' or '.join(sorted(ours))}" if ours else f"{what} was not graded"
            shown = f"its maximum is {one_line(theirs)}, {of_ours}"
            remarks.append(f"{one_line(table.header[column])} was left alone: {shown}.")
            columns.pop(what, None)
    rows = _Rows(table, dialect)
    owners = Counter(number for result in results for number in rows.of(result.student))
    lost = []
    written = set()
    for result in results:
        found = rows.of(result.student)
        if len(found) != 1 or owners[found[0]] > 1:
            several = " (several rows)" if len(found) > 1 else " (a row that fits others, too)" if found else ""
            lost.append(f"{one_line(result.student)}{several}")
            continue
        for what, column in columns.items():
            points = _points(result, what, keeps.get(result.student))
            if table.row(found[0])[column].strip().upper() == EXCUSED:
                remarks.append(f"{one_line(result.student)} is excused from {what}, and was left alone there.")
            elif points is not None:
                table.write(found[0], column, points)
                written.add(result.student)
    if lost:
        remarks.append(f"no row of the template, or more than one, fits: {', '.join(lost)}.")
    return len(written), remarks


def _columns(table: Table, dialect: Dialect, chosen: Mapping[str, str]) -> dict[str, int]:
    """The column of each exercise, and of the total, as far as there is one."""
    headers = [(header.casefold(), dialect.plain(header).casefold()) for header in table.header]
    wanted = {TOTAL: (COURSE,), **{id: (id, e.module, e.title, f"{id} {e.title}") for id, e in EXERCISES.items()}}
    if FINAL in chosen:
        wanted[FINAL] = ()
    columns: dict[str, int] = {}
    for what, names in sorted(wanted.items(), key=lambda item: item[0] not in chosen):
        asked = (chosen[what],) if what in chosen else names
        spelled = {name.casefold() for name in asked}
        found = [i for i, forms in enumerate(headers) if spelled & set(forms)]
        if len(found) > 1:
            raise NoSuchColumn(f"several columns could be meant for {what}; name one in full with --column {what}=…")
        if what in chosen and not found:
            raise NoSuchColumn(f"no column is called {chosen[what]!r}; there are: {_shown(table.header)}")
        if not found:
            continue
        if what in chosen and headers[found[0]][0] in dialect.whose:
            raise NoSuchColumn(f"the column {chosen[what]!r} says whose a row is: no points go there")
        others = [other for other, column in columns.items() if column == found[0]]
        if others and what in chosen:
            raise NoSuchColumn(f"{others[0]} and {what} cannot both go into the column {chosen[what]!r}")
        if not others:
            columns[what] = found[0]
    if not columns:
        raise NoSuchColumn(
            f"no column is called after an exercise; name one, as with --column ex2=HEADER: {_shown(table.header)}"
        )
    return columns


def _shown(headers: Iterable[str]) -> str:
    return ", ".join(map(one_line, headers))


def _other_maxima(table: Table, column: int, ours: set[str]) -> set[str]:
    """What the template says about the most points of a column, be it a remark, where it is not `ours`."""
    theirs = {_maximum(table.header, table.row(number), column) for number in range(1, len(table.cells))}
    return {text for text in theirs if text and not (_is_number(text) and {float(text)} == set(map(float, ours)))}


def _maximum(header: Sequence[str], row: Sequence[str], column: int) -> str:
    """What a row says about the most points of a column: Canvas has a row for that, Moodle's worksheet a column."""
    if "Points Possible" in row[0]:
        return row[column].strip()
    lower = [name.casefold() for name in header]
    if "maximum grade" in lower and header[column].casefold() == "grade":
        return row[lower.index("maximum grade")].strip()
    return ""


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None


def _points(result: StudentResult, what: str, keeps: float | None, *, most: bool = False) -> str | None:
    """The points of an exercise, the total or what the late policy leaves of it, or the most that there are.

    None if it was not graded in this run, or if the policy does not know the student.
    """
    part = result if what in (TOTAL, FINAL) else result.exercises.get(what)
    left = keeps if what == FINAL else 1.0
    if part is None or left is None:
        return None
    return str(tidy(part.max_score if most else part.score * left))


class _Rows:
    """Whose row is which."""

    def __init__(self, table: Table, dialect: Dialect) -> None:
        self._by_number: dict[str, list[int]] = {}
        self._by_id: dict[str, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}
        header = [name.casefold() for name in table.header]
        for number in range(1, len(table.cells)):
            row = dict(zip(header, table.row(number), strict=False))
            if "Points Possible" in table.row(number)[0]:
                continue
            own = re.sub(r"^\D+ ", "", row.get(dialect.number.casefold(), ""))  # `Participant 12`, in any language
            self._by_number.setdefault(own, []).append(number)
            for key in {key for name in dialect.ids for key in _id_keys(row.get(name.casefold(), ""))}:
                self._by_id.setdefault(key, []).append(number)
            surname = next((row[name] for name in _SURNAMES if name in row), "")
            for name in dialect.names:
                whole = _name_key(f"{row.get(name.casefold(), '')} {surname}")
                self._by_name.setdefault(whole, []).append(number)

    def of(self, student: str) -> list[int]:
        """The rows of one student: by id, or by the number of one collected as `name_number`; else by name.

        A login may look like such a name and number, so these may be the rows of two people.
        """
        name, _, number = student.rpartition("_")
        if not (name and number.isdigit()):
            name, number = student, student
        sure = [*self._by_number.get(number, ()), *self._by_id.get(student.casefold(), ())]
        return list(dict.fromkeys(sure)) or self._by_name.get(_name_key(name), [])


def _id_keys(cell: str) -> set[str]:
    """What a student may be called by: the cell, or an address without its domain."""
    text = cell.strip().casefold()
    return {key for key in (text, text.partition("@")[0]) if key}


def _name_key(name: str) -> str:
    """Equal for `Lovelace, Ada` and `Ada Lovelace`."""
    last, comma, first = name.partition(",")
    return " ".join((f"{first} {last}" if comma else name).casefold().split())
