"""report.json and timings.json: a student's result for machines."""

import json
from typing import Any

from grader.reports.text import tidy
from grader.results import ExerciseResult, LawResult, Provenance, StudentResult, in_words

SCHEMA = 1


def report_json(result: StudentResult) -> str:
    """The text of report.json. It is the same for the same submission, tests and seed: no times are in it."""
    return _dump(
        {
            "schema": SCHEMA,
            "student": result.student,
            "score": tidy(result.score),
            "max_score": tidy(result.max_score),
            "exercises": {name: _exercise(exercise) for name, exercise in result.exercises.items()},
            "notes": list(result.notes),
            "provenance": _provenance(result.provenance),
        }
    )


def timings_json(result: StudentResult) -> str:
    """The text of timings.json: seconds of CPU per exercise and per law."""
    return _dump(
        {
            "schema": SCHEMA,
            "student": result.student,
            "cpu_seconds": {name: round(seconds, 3) for name, seconds in result.cpu_seconds.items()},
            "laws": {
                name: {law.name: round(law.seconds, 3) for law in exercise.tests}
                for name, exercise in result.exercises.items()
            },
        }
    )


def _exercise(exercise: ExerciseResult) -> dict[str, Any]:
    return {
        "score": tidy(exercise.score),
        "max_score": tidy(exercise.max_score),
        "status": exercise.status,
        "notes": list(exercise.notes),
        "tests": [_law(law) for law in exercise.tests],
    }


def _law(law: LawResult) -> dict[str, Any]:
    trials = law.follow_through
    return {
        "name": law.name,
        "title": law.title,
        "property": law.property,
        "status": law.status,
        "score": tidy(law.score),
        "max_score": tidy(law.max_score),
        "message": law.message,
        "counterexample": in_words(law.case, law.drawings),
        "case": law.case,
        "drawings": list(law.drawings),
        "diagnosis": [dict(entry) for entry in law.diagnosis],
        "follow_through": {"own": trials.own, "reference": trials.reference} if trials else None,
    }


def _provenance(provenance: Provenance) -> dict[str, Any]:
    return {
        "submission_sha256": provenance.submission_sha256,
        "tests_sha256": provenance.tests_sha256,
        "seed": provenance.seed,
        "device": provenance.device,
        "isolation": provenance.isolation,
        "versions": dict(sorted(provenance.versions.items())),
    }


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
