"""The student's answer in a Jupyter notebook, read as JSON and never run."""

import json
import re
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from grader.laws.parse import parse
from grader.notebooks.code import needed_code
from grader.submissions.candidates import at_most
from grader.submissions.reading import SOURCE_LIMIT, Unreadable, check_size

# Cell magics whose body is Python and runs in the notebook's own namespace.
_PYTHON_CELLS = {"%%time", "%%timeit", "%%capture", "%%prun"}
_DEFINITION = re.compile(r"^(?:async\s+def|def|class)\s+(\w+)", re.MULTILINE)
_SHOWN = 60
"""So much of a cell's first line."""
_MAGIC_LINE = re.compile(r"(\s*)(?:[%!?]|[\w.]+\?{1,2}\s*$)")
_MAGIC_AT_THE_EDGE = re.compile(r"()(?:[%!?]|[\w.]+\?{1,2}\s*$)")
_MAGIC_VALUE = re.compile(r"^([ \t]*[\w.,][\w., ]*=) *[%!].*$", re.MULTILINE)
_PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)", re.MULTILINE)


def code_of(text: str, names: Sequence[str]) -> tuple[str, list[str]]:
    """The code in a notebook that `names` need, as one source text, and notes on what was left out.

    It comes from the cells to be solved and the student's own, wherever they are. Cells that nbgrader marks as its own
    tests are left out: they are the instructor's. A name whose only definition stands in a cell that is not Python says
    so to who calls it. `Unreadable` if `text` is not a notebook.
    """
    sources: dict[int, str] = {}
    ids: dict[int, str] = {}
    magics = 0
    for number, cell in enumerate(_cells(text), start=1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        if _is_test(cell):
            continue
        ids[number] = _grade_id(cell)
        sources[number], dropped = _without_magics(_source(cell, number))
        magics += dropped
    try:
        check_size(sum(len(source.encode("utf-8")) for source in sources.values()), SOURCE_LIMIT)
    except UnicodeEncodeError:
        raise Unreadable("holds half a character (a lone surrogate) in its code") from None
    answer = needed_code(sources, names)
    unread = {cell: f"{_shown(sources[cell])} is not Python ({why})" for cell, why in answer.unreadable.items()}
    meant = [(_meant(sources[cell], ids[cell]), why) for cell, why in unread.items()]
    if lost := {name: why for name in names for defined, why in meant if name in defined}:
        answer = needed_code({0: _stand_ins(lost), **sources}, names)
    notes = [f"{why}, so it was left out" for why in unread.values()]
    if magics:
        notes.append(f"{magics} notebook command line{'s' * (magics > 1)} (% or !) left out")
    return answer.text, at_most(notes)


def _cells(text: str) -> list[Any]:
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("is not a notebook: it is not valid JSON") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if cells is None and isinstance(notebook, dict):
        # Before version 4 of the format, cells lay in worksheets.
        sheets = notebook.get("worksheets")
        known = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)] if isinstance(sheets, list) else []
        cells = [cell for each in known if isinstance(each, list) for cell in each] if known else None
    if not isinstance(cells, list):
        raise Unreadable("is not a notebook: it has no list of cells")
    return cells


def _is_test(cell: dict[str, Any]) -> bool:
    marks = _marks(cell)
    return marks.get("grade") is True and marks.get("solution") is not True


def _grade_id(cell: dict[str, Any]) -> str:
    return str(_marks(cell).get("grade_id", ""))


def _marks(cell: dict[str, Any]) -> dict[str, Any]:
    """What nbgrader says about a cell."""
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return marks if isinstance(marks, dict) else {}


def _shown(source: str) -> str:
    """A cell by what can be seen of it: Jupyter shows neither its number nor its id."""
    first = next((line.strip() for line in source.split("\n") if line.strip()), "")
    return f"the cell that begins with `{first[:_SHOWN]}{'…' * (len(first) > _SHOWN)}`"


def _meant(source: str, grade_id: str) -> set[str]:
    """The names that a cell which is not Python was to define, as far as its lines or nbgrader's id show."""
    return {*_DEFINITION.findall(source), grade_id.removeprefix("write-")}


def _stand_ins(lost: Mapping[str, str]) -> str:
    """Functions that say why they are not the student's; whatever defines the names afterwards takes their place."""
    return "\n".join(
        f"def {name}(*_, why={f'{why}, so `{name}` is not defined'!r}, **__):\n    raise SyntaxError(why)\n"
        for name, why in lost.items()
    )


def _source(cell: dict[str, Any], number: int) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str) or "\0" in source:
        raise Unreadable(f"is not a notebook: the source of cell {number} is not text")
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _without_magics(source: str) -> tuple[str, int]:
    """`source` as Python, with each line of notebook commands replaced by `pass`, and how many lines that were.

    As in Jupyter, a cell may be indented as a whole, or hold the prompts of a session.
    """
    if _parses(source):  # a line of plain Python may begin with % too, inside a string or a long expression
        return source, 0
    source = textwrap.dedent(source)
    if source.lstrip().startswith(">>>"):
        source = _PROMPT.sub("", source)
    if _parses(source):
        return source, 0
    dropped = 0
    if source.lstrip().startswith("%%"):
        command, _, body = source.lstrip().partition("\n")
        dropped = 1
        if command.split()[0] not in _PYTHON_CELLS:
            return "", dropped
        source = body
    source, values = _MAGIC_VALUE.subn(r"\1 None", source)
    for magic in (_MAGIC_AT_THE_EDGE, _MAGIC_LINE):  # an indented line is more often part of an expression
        text, lines = _without_lines(source, magic)
        if _parses(text):
            break
    return text, dropped + values + lines


def _without_lines(source: str, command: re.Pattern[str]) -> tuple[str, int]:
    """`source` with `pass` for each line, and the lines that continue it, that `command` matches, and their number."""
    lines: list[str] = []
    continued, dropped = False, 0
    for line in source.split("\n"):
        match = command.match(line)
        if match or continued:
            lines.append("" if continued else f"{match[1] if match else ''}pass")
            dropped += not continued
            continued = line.endswith("\\")
        else:
            lines.append(line)
    return "\n".join(lines), dropped


def _parses(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
