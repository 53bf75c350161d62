"""What a student reads about a mistake that was recognised."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.bank import Entry
from grader.laws.plugin import HINT
from grader.results import LawResult

EXACTLY = "This is exactly what comes out of a known mistake: "
TOGETHER = "This is exactly what comes out of two known mistakes together: "
ELSEWHERE = "With the course's own earlier parts in place of yours this law fails, too, in another way."
EXACTLY_THERE = "That is exactly what comes out of a known mistake: "
TOGETHER_THERE = "That is exactly what comes out of two known mistakes together: "

Diagnosis = Sequence[Mapping[str, str]]
"""The id and the title of each mistake."""


def diagnosis_of(named: Sequence[Entry]) -> Diagnosis:
    """The mistakes that were recognised, as a report holds them."""
    return [{"id": entry.id, "title": entry.title} for entry in named]


def with_diagnosis(result: LawResult, diagnosis: Diagnosis) -> LawResult:
    """The result of a failed law with the mistakes that explain it, in its message and as data."""
    return _with(result, _sentence(diagnosis, EXACTLY, TOGETHER), diagnosis)


def with_diagnosis_elsewhere(result: LawResult, diagnosis: Diagnosis) -> LawResult:
    """The result on a student's own earlier parts, where the law fails in another way on the course's.

    `diagnosis` explains that other failure, and may be empty.
    """
    sentence = _sentence(diagnosis, EXACTLY_THERE, TOGETHER_THERE) if diagnosis else ""
    return _with(result, f"{ELSEWHERE} {sentence}".rstrip(), diagnosis)


def _sentence(diagnosis: Diagnosis, of_one: str, of_two: str) -> str:
    return (of_one if len(diagnosis) == 1 else of_two) + " ".join(entry["title"] for entry in diagnosis)


def _with(result: LawResult, sentence: str, diagnosis: Diagnosis) -> LawResult:
    """What is known stands before what is a general hint."""
    told, hint, rest = result.message.partition(HINT)
    return replace(result, message=f"{told}\n{sentence}{hint}{rest}", diagnosis=tuple(diagnosis))
