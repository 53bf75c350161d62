"""What must hold of a student's copy before it is written, tried on a copy in a temporary folder."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.build import build
from grader.course import EXERCISES, ROOT
from grader.release.leaks import leaks

_QUICKLY = ("--assert=plain", "-p", "no:cacheprovider")
_UNWRITTEN, _MARK = b" is not written yet", b", in the copy on trial"


class NotProved(Exception):
    """A copy must not be handed out; the text is a sentence that says why."""


def prove(files: Mapping[str, bytes]) -> None:
    """Raise `NotProved` unless `files` give nothing away, score nothing as they are, and test what is in them.

    The trials run as a student's bare `pytest` does, with this whole course before the copy on the path: a copy must
    test its own files also where the course is installed.
    """
    if build(check=True):
        raise NotProved("exercises/ is not what the solutions give; run `grader build` first.")
    found = leaks(files)
    if found:
        raise NotProved("\n".join(["something of a solution would be handed out:", *found]))
    with tempfile.TemporaryDirectory() as name:
        write_files(files, Path(name))
        try_laws(Path(name))


def try_laws(copy: Path, *arguments: str) -> None:
    """Raise `NotProved` unless each law in a copy says "not started" by the copy's own files, which are marked for it.

    `arguments` go to pytest.
    """
    for exercise in EXERCISES.values():
        own = copy / "exercises" / exercise.filename
        own.write_bytes(own.read_bytes().replace(_UNWRITTEN, _UNWRITTEN + _MARK))
    for law in _points(copy, *arguments)["tests"]:
        message: str = law["message"]
        if law["score"] or not message.startswith("not started"):
            raise NotProved(f"as handed out, the law {law['name']!r} is not simply not started: {message}")
        if not message.endswith(_MARK.decode()):
            raise NotProved(f"the law {law['name']!r} is tried on other files than those in the copy.")


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write `files`, which go by their paths in it, into `folder`."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _points(copy: Path, *arguments: str) -> dict[str, Any]:
    """What `pytest` gives in the copy, as GitHub Classroom gets it."""
    with tempfile.TemporaryDirectory() as name:
        points = Path(name) / "points.json"
        done = subprocess.run(
            [sys.executable, "-P", "-m", "pytest", *_QUICKLY, "--classroom", str(points), *arguments],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if not points.is_file():
            raise NotProved(f"pytest does not run in the copy:\n{done.stdout}{done.stderr}")
        read: dict[str, Any] = json.loads(points.read_text(encoding="utf-8"))
        return read
