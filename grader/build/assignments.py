"""The nbgrader course's generated files: a notebook for each exercise, and the earlier solutions beside it.

Only what is made here needs nbgrader's libraries, so that the skeletons can be built without them.
"""

import json
import sys
from pathlib import Path

from grader.build.handout import LANGUAGE, Material, notebook_text
from grader.build.markers import SourceError
from grader.build.parts import parts_of, published
from grader.build.settle import settle, short_name
from grader.course import ASSIGNMENTS, EXERCISES, SOLUTIONS, Exercise
from grader.laws.load import load_laws
from grader.notebooks.earlier import FOLDER, published_name

LANGUAGES = ("en", "zh")
"""The first is that of a course without notebooks."""


def build_assignments(check: bool = False, language: str | None = None, course: Path = ASSIGNMENTS) -> int:
    """Write `source/` of the nbgrader course, or with `check` only say whether it is up to date.

    Both languages are made, so that neither is broken unnoticed; `language` says which one is written.

    Args:
        check: write nothing, and print what would change as a unified diff.
        language: of the text, "en" or "zh"; by default the one that the course's notebooks have now.
        course: the folder with `handouts/` and `source/`.

    Returns:
        Exit status: 0 if all is well, 1 if a handout is faulty (with a sentence on stderr, and nothing written) or,
        with `check`, if a file is stale.
    """
    files: dict[Path, str] = {}
    faults = []
    language = language or language_of(course)
    for exercise in EXERCISES.values():
        try:
            notebooks = {one: notebook_of(exercise, one, course) for one in LANGUAGES}
        except (SourceError, OSError) as fault:
            faults.append(str(fault))
            continue
        path = _notebook_path(exercise, course)
        files[path] = notebooks[language]
        for need in (EXERCISES[id] for id in exercise.needs):
            files[path.parent / FOLDER / published_name(need)] = published(_solution(need))
    for sentence in faults:
        print(sentence, file=sys.stderr)
    return 1 if faults else settle(files, check)


def notebook_of(exercise: Exercise, language: str, course: Path = ASSIGNMENTS) -> str:
    """The text of the notebook of `exercise`; `SourceError` or `OSError` if its handout or solution is faulty."""
    handout = course / "handouts" / language / f"{exercise.module}.md"
    imports, parts = parts_of(_solution(exercise), f"solutions/{exercise.filename}")
    laws = {name: loaded.law for name, loaded in load_laws(exercise).items()}
    material = Material(exercise, laws, imports, parts)
    return notebook_text(handout.read_text(encoding="utf-8"), language, material, short_name(handout))


def language_of(course: Path) -> str:
    """The language that the course's notebooks have now, as the first of them says."""
    for exercise in EXERCISES.values():
        try:
            language = json.loads(_notebook_path(exercise, course).read_text(encoding="utf-8"))["metadata"][LANGUAGE]
        except (OSError, ValueError, LookupError, TypeError):
            continue
        if language in LANGUAGES:
            return str(language)
    return LANGUAGES[0]


def _notebook_path(exercise: Exercise, course: Path) -> Path:
    return course / "source" / exercise.module / f"{exercise.module}.ipynb"


def _solution(exercise: Exercise) -> str:
    return (SOLUTIONS / exercise.filename).read_text(encoding="utf-8")
