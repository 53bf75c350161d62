"""report.html and index.html: self-contained pages that need no script and ask the network for nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from grader.course import EXERCISES
from grader.late import Lateness
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


def blocks(text: str, prose_from: int = 0) -> list[Block]:
    """`text` in runs of prose and of aligned lines, which are indented or hold several blanks in a row.

    Lines shorter than `prose_from` are no prose: in a counterexample they are titles or single numbers.
    """

    def is_aligned(line: str) -> bool:
        return len(line) < prose_from or line.startswith((" ", "\t", "[", "|")) or "  " in line or "\t" in line

    runs = groupby(clean(text).strip("\n").splitlines(), key=is_aligned)
    return [Block(aligned, "\n".join(lines)) for aligned, lines in runs]


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
    environment.filters.update(blocks=blocks, path=lambda name: quote(name, safe=""), tidy=tidy)
    return environment
