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
from grader.course import EXERCISES, ROOT, SOLUTIONS
from grader.release.leaks import leaks

_SOLVED, _LAWS = EXERCISES["ex2"], "causal_mask"
"""An exercise that needs no other, and a word in the names of some laws of it that are quickly tried."""


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
        copy = Path(name)
        write_files(files, copy)
        unsolved = _points(copy)
        for law in unsolved["tests"]:
            if law["score"] or not law["message"].startswith("not started"):
                raise NotProved(f"as handed out, the law {law['name']!r} is not simply not started: {law['message']}")
        (copy / "exercises" / _SOLVED.filename).write_bytes((SOLUTIONS / _SOLVED.filename).read_bytes())
        solved = _points(copy, f"tests/exercises/{_SOLVED.laws.name}", "-k", _LAWS)
        score = sum(law["score"] for law in solved["tests"])
        if score != solved["max_score"]:
            raise NotProved(f"a right exercises/{_SOLVED.filename} in the copy earns {score} of {solved['max_score']}.")


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
            [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", "--classroom", str(points), *arguments],
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
