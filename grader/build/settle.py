"""Generated files and what stands on disk: bring the one to the other, or say how they differ."""

import difflib
from collections.abc import Mapping
from pathlib import Path

from grader.reports.files import write_whole


def settle(files: Mapping[Path, str], check: bool) -> int:
    """Write the files that are not as they should be, or with `check` print what would change, as unified diffs.

    Returns the exit status: 1 if `check` found any, else 0. A checkout with other line ends is not stale.
    """
    stale = [path for path, text in files.items() if _read(path) != text]
    for path in stale:
        if check:
            print(_diff(path, files[path]), end="")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, files[path])
    return int(check and bool(stale))


def short_name(path: Path) -> str:
    """How messages name a file: with its folder, but without the rest of this machine's paths."""
    return f"{path.parent.name}/{path.name}"


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else None


def _diff(path: Path, wanted: str) -> str:
    """What `grader build` would change in the file."""
    old = (_read(path) or "").splitlines(keepends=True)
    new = wanted.splitlines(keepends=True)
    name = short_name(path)
    return "".join(difflib.unified_diff(old, new, f"{name} (as it stands)", f"{name} (from the solution)"))
