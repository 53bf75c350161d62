"""What a law carries: one marker with its points, property, title and hint; its docstring is the law in words."""

import inspect
from dataclasses import dataclass

import pytest

from grader.course import Exercise, by_module

FIELDS = ("points", "property", "title", "hint")


@dataclass(frozen=True)
class Law:
    """One test of `tests/exercises`, as the reports know it."""

    exercise: Exercise
    name: str
    points: int
    property: str
    title: str
    hint: str
    statement: str

    @classmethod
    def of(cls, item: pytest.Item) -> "Law | None":
        """The law that a collected test stands for; None for any other test.

        Raises `pytest.UsageError` when the marker is incomplete: a law without points or words is a bug of ours.
        """
        marker = item.get_closest_marker("law")
        if marker is None:
            return None
        exercise = by_module(item.path.stem.removeprefix("test_"))
        return cls.from_marker(exercise, item.name, getattr(item, "obj", None), marker)

    @classmethod
    def from_marker(cls, exercise: Exercise, test: str, function: object, marker: pytest.Mark) -> "Law":
        """The law that the test called `test` stands for; `pytest.UsageError` when the marker is incomplete."""
        missing = [name for name in FIELDS if not marker.kwargs.get(name)]
        statement = inspect.getdoc(function) or ""
        if missing or not statement:
            lacking = ", ".join(missing) or "a docstring"
            raise pytest.UsageError(f"{exercise.laws.name}::{test}: the law lacks {lacking}")
        return cls(
            exercise=exercise,
            name=test.removeprefix("test_"),
            statement=" ".join(statement.split("\n\n")[0].split()),
            **{name: marker.kwargs[name] for name in FIELDS},
        )
