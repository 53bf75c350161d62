"""What a student gets, file by file, as bytes in memory: nothing else is ever written.

Public are the laws, with all that they are written with. That is by design, as students run them; among it are the
judge's own ways to the expected values, in other words than the solutions'. The solutions, the bank of known answers,
the judge, the worker, the audit and the tests of the grader stay here.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import grader
from grader.course import EXERCISES, EXERCISES_DIR, LAWS_DIR, ROOT

NAME = "transformer-by-hand"
"""The folder in the zip."""
WORKFLOW = ".github/workflows/classroom.yml"
GRADER_FILES = (
    "grader/__init__.py",
    "grader/bundle.py",
    "grader/course.py",
    "grader/exit_status.py",
    "grader/reports/__init__.py",
    "grader/reports/files.py",
    "grader/results.py",
    "grader/submit.py",
)
"""Of `grader/`, beside all of `grader/laws/`, and of `grader/notebooks/` what a student's kernel needs."""
_NBGRADER_ONLY = "mend.py"
_TEMPLATES = Path(__file__).parent / "templates"


def contents(*, classroom: bool = False) -> dict[str, bytes]:
    """The files of a student's copy by their paths in it; with `classroom` also a workflow for GitHub Classroom."""
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _as_they_are()}
    made = {
        "README.md": "README.md",
        "pyproject.toml": "pyproject.toml",
        "conftest.py": "conftest.py",
        ".gitignore": "gitignore",
        **({WORKFLOW: "classroom.yml"} if classroom else {}),
    }
    texts = {path: _render(template, classroom=classroom) for path, template in made.items()}
    return dict(sorted({**files, **{path: text.encode("utf-8") for path, text in texts.items()}}.items()))


def _as_they_are() -> Iterator[Path]:
    """The files that are the same there as here."""
    yield ROOT / "LICENSE"
    yield EXERCISES_DIR / "__init__.py"
    for exercise in EXERCISES.values():
        yield EXERCISES_DIR / exercise.filename
        yield LAWS_DIR / exercise.laws.name
    for name in GRADER_FILES:
        yield ROOT / name
    yield from (ROOT / "grader" / "laws").glob("*.py")
    yield from (path for path in (ROOT / "grader" / "notebooks").glob("*.py") if path.name != _NBGRADER_ONLY)


def _render(template: str, *, classroom: bool) -> str:
    """One of the templates, with what it says about the course filled in."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES, encoding="utf-8"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        variable_start_string="<<",  # `{{` is GitHub's own in a workflow
        variable_end_string=">>",
        autoescape=False,  # none of it is HTML
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return environment.get_template(f"{template}.j2").render(
        name=NAME,
        version=grader.__version__,
        dependencies=project["dependencies"],
        requires_python=project["requires-python"],
        exercises=EXERCISES.values(),
        classroom=classroom,
    )
