"""What a student reads about a mistake that was recognised."""

from collections.abc import Sequence
from dataclasses import replace

from grader.bank import Entry
from grader.laws.plugin import HINT
from grader.results import LawResult

EXACTLY = "This is exactly what comes out of a known mistake: "
TOGETHER = "This is exactly what comes out of two known mistakes together: "


def with_diagnosis(result: LawResult, named: Sequence[Entry]) -> LawResult:
    """The result of a failed law with the mistakes that explain it, in its message and as data."""
    sentence = (EXACTLY if len(named) == 1 else TOGETHER) + " ".join(entry.title for entry in named)
    return replace(
        result,
        message=_before_the_hint(result.message, sentence),
        diagnosis=tuple({"id": entry.id, "title": entry.title} for entry in named),
    )


def _before_the_hint(message: str, sentence: str) -> str:
    """What is known stands before what is a general hint."""
    told, hint, rest = message.partition(HINT)
    return f"{told}\n{sentence}{hint}{rest}"
