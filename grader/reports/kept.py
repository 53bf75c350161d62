"""Reading a report back: what an earlier run has finished need not be graded again."""

import json
from pathlib import Path
from typing import Any

from grader.reports.json_report import SCHEMA
from grader.results import ExerciseResult, FollowThrough, LawResult, Provenance, StudentResult


def read_report(path: Path) -> StudentResult | None:
    """The result that `report_json` wrote to `path`; None if there is none that this version can read."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return _student(values) if values["schema"] == SCHEMA else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _student(values: dict[str, Any]) -> StudentResult:
    return StudentResult(
        student=values["student"],
        exercises={id: _exercise(id, exercise) for id, exercise in values["exercises"].items()},
        provenance=Provenance(**values["provenance"]),
        notes=tuple(values["notes"]),
    )


def _exercise(id: str, values: dict[str, Any]) -> ExerciseResult:
    return ExerciseResult(
        exercise=id,
        status=values["status"],
        tests=tuple(_law(law) for law in values["tests"]),
        notes=tuple(values["notes"]),
    )


def _law(values: dict[str, Any]) -> LawResult:
    followed = values.pop("follow_through", None)
    del values["counterexample"]  # made of the case and the drawings
    return LawResult(
        **{**values, "diagnosis": tuple(values["diagnosis"]), "drawings": tuple(values["drawings"])},
        follow_through=FollowThrough(**followed) if followed else None,
    )
