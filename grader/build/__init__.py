"""Makes what students get from the model solutions, as text; no solution is ever imported.

How a source says what to take out stands in `grader.build.markers`, what comes in its place in
`grader.build.skeleton`; `grader.build.assignments` makes the notebooks.
"""

import argparse
import importlib.util
import sys
from pathlib import Path

from grader.build.markers import SourceError
from grader.build.settle import settle, short_name
from grader.build.skeleton import PACKAGE_FILE, skeleton
from grader.course import EXERCISES, EXERCISES_DIR, SOLUTIONS
from grader.exit_status import DONE, UNUSABLE


def build_command(options: argparse.Namespace) -> int:
    """Build everything as the command line says; the exit status."""
    skeletons = build(check=options.check)
    if importlib.util.find_spec("jupytext") is None:
        print(
            "grader: the notebooks were left out, as they need jupytext: pip install -e '.[nbgrader]'",
            file=sys.stderr,
        )
        return skeletons or UNUSABLE
    from grader.build.assignments import build_assignments

    status = max(skeletons, build_assignments(check=options.check, language=options.lang))
    if status == DONE:
        print("exercises/ and assignments/source/ are what solutions, handouts and laws give.")
    return status


def build(check: bool = False, sources: Path = SOLUTIONS, target: Path = EXERCISES_DIR) -> int:
    """Write the skeletons of all exercises, or with `check` only say whether they are up to date.

    Faults are told on stderr, one sentence each; with any fault nothing is written.

    Args:
        check: write nothing, and print what would change as a unified diff.
        sources: the folder with one solution per exercise.
        target: the folder of the skeletons; nothing else may stand in it.

    Returns:
        Exit status: 0 if all is well, 1 if a source is faulty, if a file in `target` is not the course's or,
        with `check`, if a skeleton is stale.
    """
    files, faults = _generate(sources, target)
    faults += _strangers(target)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else settle(files, check)


def _generate(sources: Path, target: Path) -> tuple[dict[Path, str], list[str]]:
    """The text of each file that belongs in the target folder, and a sentence for each that can't be made."""
    files = {target / "__init__.py": PACKAGE_FILE}
    faults = []
    for exercise in EXERCISES.values():
        source = sources / exercise.filename
        try:
            text = source.read_text(encoding="utf-8")
            files[target / exercise.filename] = skeleton(text, exercise, short_name(source))
        except FileNotFoundError:
            faults.append(f"{short_name(source)}: the solution of {exercise.id} is missing.")
        except UnicodeDecodeError as error:
            faults.append(f"{short_name(source)}: this file is not UTF-8: {error.reason} at byte {error.start}.")
        except SourceError as error:
            faults.append(str(error))
    return files, faults


def _strangers(target: Path) -> list[str]:
    """A sentence for each entry of the target folder that is not the course's, nor hidden, nor a cache."""
    expected = {"__init__.py", "__pycache__", *(exercise.filename for exercise in EXERCISES.values())}
    entries = sorted(target.iterdir()) if target.is_dir() else []
    return [
        f"{short_name(entry)}: this is not a file of the course; the folder holds generated skeletons only."
        for entry in entries
        if entry.name not in expected and not entry.name.startswith(".")
    ]
