"""From a handout, Markdown that people edit, to the cells of an assignment's notebook.

A handout is read by jupytext: text becomes Markdown cells (two blank lines begin a new one), and each block of Python
code a cell, by what stands behind the word `python`:

    name="heat_map"             a cell of that name, as it stands; the student may change it
    name="setup" locked=true    the same, but nbgrader restores it
    imports=true                the imports of the exercise's solution
    solution="causal_mask"      this function or class of the solution; nbgrader takes out what is between the marks
    check="law_name"            tries the law, openly and, when it is graded, on other draws
    hidden="law_name"           tries the law when the notebook is graded, and shows only its title

Points and titles come from the laws' markers, code from the solution, and cell ids from the names, so that the same
handout makes the same notebook, byte by byte, and a translated one the same cells.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jupytext
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grader.build.markers import SourceError
from grader.course import Exercise
from grader.laws.law import Law

KINDS = ("name", "imports", "solution", "check", "hidden")
OTHER_SEED = 20
"""Of the draws of a check's hidden part."""
SHOWN = {"en": "# {points} point{s}: {title}", "zh": "# {points} 分：{title}"}
HIDDEN = {
    "en": "# {points} point{s}, checked when your notebook is graded: {title}",
    "zh": "# {points} 分，评分时检查：{title}",
}
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
LANGUAGE = "lang"
"""What a notebook's metadata call the language of its text."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Material:
    """What a handout can ask for: the exercise's laws, and the parts of its solution."""

    exercise: Exercise
    laws: Mapping[str, Law]
    imports: str
    parts: Mapping[str, str]


class _Fault(Exception):
    """A sentence about a block of code."""


def notebook_text(handout: str, language: str, material: Material, file: str) -> str:
    """The notebook that `handout` describes, as JSON.

    Raises:
        SourceError: if a block of code says nothing or something unknown about itself, or if a law, a part of the
            solution or a name has no cell or two.
    """
    cells: list[NotebookNode] = []
    for parsed in jupytext.reads(handout, fmt="md").cells:
        try:
            is_text = parsed.cell_type == "markdown"
            cells.append(_text_cell(parsed) if is_text else _code_cell(parsed, language, material))
        except _Fault as fault:
            raise SourceError(file, _line_of(parsed, handout), f"{fault}.") from None
    _name_texts(cells)
    _check_complete([cell.id for cell in cells if cell.cell_type == "code"], material, file)
    notebook = new_notebook(cells=cells, metadata={**KERNEL, LANGUAGE: language})
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=4) + "\n"


def _text_cell(parsed: NotebookNode) -> NotebookNode:
    return new_markdown_cell(parsed.source, id="text")  # named later, see _name_texts


def _code_cell(parsed: NotebookNode, language: str, material: Material) -> NotebookNode:
    marks = {name: value for name, value in parsed.metadata.items() if name != "lines_to_next_cell"}  # jupytext's own
    locked = marks.pop("locked", False)
    if len(marks) != 1 or not marks.keys() <= set(KINDS):
        raise _Fault(f"a block of code must say one of {', '.join(KINDS)} about itself, not {marks or 'nothing'}")
    (kind, name), *_ = marks.items()
    if kind == "name":
        return _cell(name, parsed.source, locked=True) if locked else _cell(name, parsed.source)
    if parsed.source.strip():
        raise _Fault(f"the code of {kind}={name} comes from elsewhere, so its block must be empty")
    if kind == "imports":
        return _cell(kind, material.imports)
    if kind == "solution":
        if name not in material.parts:
            raise _Fault(f"the solution of {material.exercise.id} has no {name}")
        return _cell(f"write-{name}", material.parts[name], solution=True)
    if name not in material.laws:
        raise _Fault(f"{material.exercise.id} has no law {name}")
    return _law_cell(material.laws[name], language, hidden=kind == "hidden")


def _law_cell(law: Law, language: str, hidden: bool) -> NotebookNode:
    """A cell that tries one law: openly on what pytest draws and then on other draws, or only when it is graded."""
    words = (HIDDEN if hidden else SHOWN)[language]
    lines = [words.format(points=law.points, s="s" * (law.points > 1), title=law.title)]
    if not hidden:
        lines.append(_call(law, seed=0))
    lines += ["### BEGIN HIDDEN TESTS", _call(law, seed=0 if hidden else OTHER_SEED), "### END HIDDEN TESTS"]
    return _cell(law.name, "\n".join(lines), grade=True, locked=True, points=law.points)


def _call(law: Law, seed: int) -> str:
    return f'check("{law.exercise.id}", "{law.name}"{f", seed={seed}" if seed else ""})'


def _cell(name: str, source: str, **marks: Any) -> NotebookNode:
    """A code cell; with `marks`, nbgrader's metadata on it."""
    if not _ID.fullmatch(name):
        raise _Fault(f"{name} cannot be a cell's name: letters, digits, - and _ only, at most 64")
    cell = new_code_cell(source, id=name)
    if marks:
        nothing = {"grade": False, "locked": False, "solution": False, "task": False}
        cell.metadata.nbgrader = NotebookNode({**nothing, **marks, "grade_id": name, "schema_version": 3})
    return cell


def _name_texts(cells: Sequence[NotebookNode]) -> None:
    """Text is called after the code below it, so that a translation has the same ids."""
    name, count = "end", 0
    for cell in reversed(cells):
        if cell.cell_type == "code":
            name, count = f"about-{cell.id}"[:60], 0
        else:
            count += 1
            cell.id = name if count == 1 else f"{name}-{count}"


def _check_complete(ids: Sequence[str], material: Material, file: str) -> None:
    """Each law and each part of the solution has its cell, and no name is used twice."""
    twice = {name for name in ids if ids.count(name) > 1}
    missing = [name for name in (*material.laws, *(f"write-{part}" for part in material.parts)) if name not in ids]
    if twice:
        raise SourceError(file, 1, f"there are two cells {min(twice)}.")
    if missing:
        raise SourceError(file, 1, f"there is no cell for {', '.join(missing)}.")


def _line_of(parsed: NotebookNode, handout: str) -> int:
    """Where a block of code begins; jupytext does not tell."""
    begin = " ".join(f'{name}="{value}"' for name, value in parsed.metadata.items())
    return handout[: max(handout.find(begin or parsed.source), 0)].count("\n") + 1
