"""Makes what students get from the model solutions, as text; no solution is ever imported.

How a source says what to take out stands in `grader.build.markers`, what comes in its place in
`grader.build.skeleton`.
"""

import difflib
import sys
from pathlib import Path

from grader.build.markers import SourceError
from grader.build.skeleton import PACKAGE_FILE, skeleton
from grader.course import EXERCISES, EXERCISES_DIR, SOLUTIONS
from grader.reports.files import write_whole


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
    files, faults = _generate(sources)
    faults += _strangers(target)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        return 1
    stale = [target / name for name, text in files.items() if _read(target / name) != text]
    for path in stale:
        if check:
            print(_diff(path, files[path.name]), end="")
        else:
            target.mkdir(parents=True, exist_ok=True)
            write_whole(path, files[path.name])
    return int(check and bool(stale))


def _generate(sources: Path) -> tuple[dict[str, str], list[str]]:
    """The text of each file that belongs in the target folder, and a sentence for each that can't be made."""
    files = {"__init__.py": PACKAGE_FILE}
    faults = []
    for exercise in EXERCISES.values():
        source = sources / exercise.filename
        try:
            text = source.read_text(encoding="utf-8")
            files[exercise.filename] = skeleton(text, exercise, _name(source))
        except FileNotFoundError:
            faults.append(f"{_name(source)}: the solution of {exercise.id} is missing.")
        except UnicodeDecodeError as error:
            faults.append(f"{_name(source)}: this file is not UTF-8: {error.reason} at byte {error.start}.")
        except SourceError as error:
            faults.append(str(error))
    return files, faults


def _strangers(target: Path) -> list[str]:
    """A sentence for each entry of the target folder that is not the course's, nor hidden, nor a cache."""
    expected = {"__init__.py", "__pycache__", *(exercise.filename for exercise in EXERCISES.values())}
    entries = sorted(target.iterdir()) if target.is_dir() else []
    return [
        f"{_name(entry)}: this is not a file of the course; the folder holds generated skeletons only."
        for entry in entries
        if entry.name not in expected and not entry.name.startswith(".")
    ]


def _name(path: Path) -> str:
    """How messages name a file: with its folder, but without the rest of this machine's paths."""
    return f"{path.parent.name}/{path.name}"


def _read(path: Path) -> str | None:
    """The text of a file, or None if there is none; a checkout with other line ends is not stale."""
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else None


def _diff(path: Path, wanted: str) -> str:
    """What `grader build` would change in the file."""
    old = (_read(path) or "").splitlines(keepends=True)
    new = wanted.splitlines(keepends=True)
    name = _name(path)
    return "".join(difflib.unified_diff(old, new, f"{name} (as it stands)", f"{name} (from the solution)"))
