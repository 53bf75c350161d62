"""report.html and index.html: self-contained pages that need no script and ask the network for nothing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.course import EXERCISES
from grader.late import Lateness
from grader.laws.drawing import CUT, DIFFERENCE, EXPECTED, YOURS, Drawing
from grader.reports.misconceptions import misconceptions
from grader.reports.tally import BINS, tally
from grader.reports.text import clean, share, tidy
from grader.results import LawResult, LawStatus, StudentResult

STATUS_WORDS: dict[LawStatus, str] = {
    "passed": "passed",
    "failed": "failed",
    "not_started": "not started",
    "error": "error",
    "timeout": "out of time",
    "out_of_memory": "out of memory",
    "not_submitted": "not submitted",
}
# Opened on arrival: there is something to read about these.
_SHOWN_OPEN = {"failed", "error", "timeout", "out_of_memory"}
_CODE = re.compile(r"`([^\s`]|[^\s`][^`\n]*[^\s`])`")


@dataclass(frozen=True)
class Block:
    """Some lines of a message: `aligned` ones must keep their columns, others are prose and may wrap."""

    aligned: bool
    text: str


def report_html(result: StudentResult) -> str:
    """One student's page."""
    return _environment().get_template("report.html").render(result=result)


def index_html(
    results: Sequence[StudentResult],
    folders: Mapping[str, str],
    notes: Sequence[str] = (),
    lateness: Mapping[str, Lateness] | None = None,
) -> str:
    """The page of the class. `folders` gives each student's folder beside it, `notes` concern the run."""
    graded = [name for name in EXERCISES if any(name in result.exercises for result in results)]
    return (
        _environment()
        .get_template("index.html")
        .render(
            results=results,
            folders=folders,
            notes=notes,
            lateness=lateness,
            tally=tally(results),
            misconceptions=misconceptions(results),
            graded=graded,
            bins=BINS,
            remarks={result.student: result.remarks for result in results},
        )
    )


def page(template: str, **values: object) -> str:
    """Another page in the style of the reports."""
    return _environment().get_template(template).render(**values)


def blocks(text: str) -> list[Block]:
    """`text` in runs of prose and of aligned lines, which are indented, or rows of a matrix."""

    def is_aligned(line: str) -> bool:
        return line.startswith((" ", "\t", "[", "|"))

    runs = groupby(clean(text).strip("\n").splitlines(), key=is_aligned)
    return [Block(aligned, "\n".join(lines)) for aligned, lines in runs]


def with_code(text: str) -> Markup:
    """`text` with what stands between backticks set as code. All of it is escaped first: students can write here."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(clean(text)))))


def marked(drawing: Drawing) -> dict[str, list[list[tuple[str, str]]]]:
    """The drawing's cells. In a comparison those that are wrong are marked: "more", "less", or just "other"."""
    is_comparison = {EXPECTED, YOURS} <= drawing.keys()

    def mark(title: str, row: int, column: int) -> str:
        return _mark(drawing, row, column) if is_comparison and title != EXPECTED else ""

    return {
        title: [[(cell, mark(title, i, j)) for j, cell in enumerate(row)] for i, row in enumerate(rows)]
        for title, rows in drawing.items()
    }


def _mark(drawing: Drawing, row: int, column: int) -> str:
    if DIFFERENCE not in drawing:
        return "other" if drawing[EXPECTED][row][column] != drawing[YOURS][row][column] else ""
    gap = drawing[DIFFERENCE][row][column]
    return "" if gap in ("0", CUT) else "less" if gap.startswith("-") else "more"


def _is_open(law: LawResult) -> bool:
    return law.status in _SHOWN_OPEN


def _shown(value: object) -> object:
    """What a template writes for a value: all plain text is cleaned here, so that none can be forgotten."""
    if isinstance(value, float):
        return tidy(value)
    return clean(value) if type(value) is str else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grader.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(exercises=EXERCISES, words=STATUS_WORDS, share=share, is_open=_is_open)
    environment.filters.update(blocks=blocks, marked=marked, with_code=with_code, tidy=tidy)
    environment.filters["path"] = lambda name: quote(name, safe="")
    return environment
