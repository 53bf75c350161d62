"""`grader submit`: the five files in one zip, to be handed in. In a student's copy it is the only command.

The manifest in the zip says what was in the files when they were packed, and with which versions. It is a claim
like everything that a student sends: grading never looks at it.
"""

import argparse
import hashlib
import json
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import grader
from grader.bundle import zip_bytes
from grader.course import EXERCISES
from grader.exit_status import DONE, Unusable, run_command
from grader.reports.files import write_whole

MANIFEST = "manifest.json"
SCHEMA = 1
PACKAGES = ("torch", "numpy", "pytest", "hypothesis")

_NOTEBOOKS = ("*.ipynb", "*/*.ipynb")
_UNWRITTEN = re.compile(r"""raise NotImplementedError\(["']ex\d: (.+) is not written yet["']\)""")


def main(arguments: Sequence[str] | None = None) -> int:
    """The console script of a student's copy; the return value is the exit status."""
    parser = argparse.ArgumentParser(prog="grader", description="Packs your exercises to be handed in.")
    add_submit(parser.add_subparsers(required=True, metavar="COMMAND"))
    return run_command(parser.parse_args(arguments))


def add_submit(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `submit` to the commands of a parser."""
    submit = commands.add_parser("submit", help="pack the five exercises into one zip, to be handed in")
    submit.add_argument("-o", "--out", type=Path, default=Path("submission.zip"), metavar="FILE", help="where it goes")
    submit.set_defaults(run=submit_command)


def submit_command(options: argparse.Namespace) -> int:
    """Pack what is in `exercises/` below the current folder, and say what is missing or not written yet."""
    folder = Path("exercises")
    files = {
        exercise.filename: (folder / exercise.filename).read_bytes()
        for exercise in EXERCISES.values()
        if (folder / exercise.filename).is_file()
    }
    if not files:
        raise Unusable("there is no exercise in exercises/; call this in the course's own folder.")
    manifest = json.dumps(_manifest(files), indent=2) + "\n"
    write_whole(options.out, zip_bytes({**files, MANIFEST: manifest.encode("utf-8")}))
    for exercise in EXERCISES.values():
        print(f"{exercise.filename:<28} {_state(files.get(exercise.filename))}")
    print(f"{len(files)} of {len(EXERCISES)} files are in {options.out}.")
    if any(any(Path().glob(pattern)) for pattern in _NOTEBOOKS):
        print("Notebooks are not packed: hand them in as they are.")
    return DONE


def _manifest(files: Mapping[str, bytes]) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "packed": datetime.now().astimezone().isoformat(timespec="seconds"),
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        "versions": {"course": grader.__version__, "python": platform.python_version(), **_versions()},
    }


def _versions() -> dict[str, str]:
    """The versions of the packages that are installed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _state(content: bytes | None) -> str:
    """What is to be said of one file."""
    if content is None:
        return "missing"
    text = content.decode("utf-8", "replace")
    unwritten = _UNWRITTEN.findall(text)
    if not unwritten:
        return "packed"
    written = re.findall(r"^\s*(?:async )?def ", text, re.MULTILINE)
    if len(unwritten) == len(written):
        return "packed, but unchanged: nothing is written yet"
    return f"packed; not written yet: {', '.join(unwritten)}"


if __name__ == "__main__":
    sys.exit(main())
