"""Gradescope: a results.json per student, and an autograder zip that grades there."""

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grader.bundle import zip_bytes
from grader.course import EXERCISES, ROOT
from grader.exit_status import Unusable
from grader.reports.text import clean, tidy
from grader.results import LawResult, StudentResult, in_words

WHEN = ("visible", "after_due_date", "after_published", "hidden")
"""Gradescope's words for when students see a test."""

_TEMPLATES = Path(__file__).parent / "templates"
_COURSE = ("grader", "solutions", "exercises", "tests/exercises", "tests/bank")
_AT_ITS_ROOT = ("pyproject.toml", "constraints.txt", "README.md", "LICENSE")
_SUFFIXES = (".py", ".html", ".j2", ".sh")


def visibilities(options: Sequence[str], laws: Iterable[str]) -> dict[str, str]:
    """`WHEN` for all laws (under the name ""), `ex2=WHEN` for an exercise, `NAME=WHEN` for a law, by name."""
    found = {}
    known = {"", *EXERCISES, *laws}
    for option in options:
        name, _, when = option.rpartition("=")
        if when not in WHEN:
            raise Unusable(f"--visibility {option}: it must end in one of {', '.join(WHEN)}.")
        if name not in known:
            raise Unusable(f"--visibility {option}: no exercise and no law is called {name!r}.")
        found[name] = when
    return found


def results_json(result: StudentResult, visibility: Mapping[str, str]) -> str:
    """One student's results.json; what is said of a law is the narrowest of `visibility`, by default visible."""
    everywhere = visibility.get("", "visible")
    tests = [
        _test(id, number, law, visibility.get(law.name) or visibility.get(id) or everywhere)
        for id, exercise in result.exercises.items()
        for number, law in enumerate(exercise.tests, start=1)
    ]
    value = {
        "score": tidy(result.score),
        "output": _output(result),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {"isolation": result.provenance.isolation, "sha256": result.provenance.submission_sha256},
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def autograder_zip(isolation: str | None, visibility: Sequence[str]) -> bytes:
    """The zip to be uploaded as an autograder: the course, and the two scripts that Gradescope looks for.

    `isolation` is given to `grader grade` there, `visibility` to `grader export`.
    """
    course = {name: (ROOT / name).read_bytes() for name in _AT_ITS_ROOT}
    for folder in _COURSE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _SUFFIXES:
                course[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    return zip_bytes({**course, **_scripts(isolation, visibility)})


def _scripts(isolation: str | None, visibility: Sequence[str]) -> dict[str, bytes]:
    """setup.sh and run_autograder."""
    run = (_TEMPLATES / "run_autograder.sh").read_text(encoding="utf-8")
    grade = f"--isolation {isolation}" if isolation else ""
    export = " ".join(f"--visibility {shlex.quote(option)}" for option in visibility)
    run = run.replace("@GRADE@", grade).replace("@EXPORT@", export)
    return {"setup.sh": (_TEMPLATES / "setup.sh").read_bytes(), "run_autograder": run.encode("utf-8")}


def _test(id: str, number: int, law: LawResult, when: str) -> dict[str, object]:
    told = "\n\n".join(part for part in (law.message, in_words(law.case, law.drawings)) if part)
    return {
        "name": law.title,
        "number": f"{id.removeprefix('ex')}.{number}",
        "score": tidy(law.score),
        "max_score": tidy(law.max_score),
        "status": "passed" if law.status == "passed" else "failed",
        "output": clean(told),
        "output_format": "text",
        "tags": [id, law.name, law.status],
        "visibility": when,
    }


def _output(result: StudentResult) -> str:
    """What is said above the tests."""
    exercises = [
        f"{id}: {tidy(exercise.score)} of {tidy(exercise.max_score)}"
        f"{' (not submitted)' if exercise.status == 'not_submitted' else ''}"
        for id, exercise in result.exercises.items()
    ]
    notes = [*result.notes, *(note for exercise in result.exercises.values() for note in exercise.notes)]
    isolation = f"Your code ran apart from the grader (isolation: {result.provenance.isolation})."
    if result.provenance.isolation == "none":
        isolation = "Your code ran without isolation from the grader."
    return clean("\n".join([*exercises, *notes, isolation]))
