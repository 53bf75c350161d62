"""misconceptions.json: which known mistakes a class makes, and who makes them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.results import StudentResult

SCHEMA = 1


@dataclass
class Misconception:
    """A mistake that was recognised, and the students in whose code, in the order of the class."""

    exercise: str
    id: str
    title: str
    students: list[str] = field(default_factory=list)


def misconceptions(results: Sequence[StudentResult]) -> list[Misconception]:
    """The most frequent first; of equally frequent ones in the course's order."""
    found: dict[str, Misconception] = {}
    for result in results:
        for name, exercise in result.exercises.items():
            named = {entry["id"]: entry["title"] for law in exercise.tests for entry in law.diagnosis}
            for id, title in named.items():
                found.setdefault(id, Misconception(name, id, title)).students.append(result.student)
    return sorted(found.values(), key=lambda each: (-len(each.students), each.exercise, each.id))


def misconceptions_json(results: Sequence[StudentResult]) -> str:
    """The text of misconceptions.json. `students` counts the class; each entry says how many, and who."""
    value = {
        "schema": SCHEMA,
        "students": len(results),
        "misconceptions": [
            {
                "id": each.id,
                "exercise": each.exercise,
                "title": each.title,
                "count": len(each.students),
                "students": each.students,
            }
            for each in misconceptions(results)
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
