"""What of the host's files a worker may read: the interpreter with its packages, the system's libraries."""

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


@dataclass(frozen=True)
class View:
    """Paths that may be read. `hidden` are folders not shown where one of `directories` contains them."""

    directories: tuple[str, ...]
    files: tuple[str, ...]
    devices: tuple[str, ...]
    hidden: tuple[str, ...]
    cuda: bool = False


def python_view(hidden: Iterable[str] = (), *, cuda: bool = False) -> View:
    """The view for this interpreter. Of a virtual environment inside a hidden folder only itself is shown.

    Packages are found by `sys.path`, so the course must have been taken off it. The grader's own code is not
    needed: a worker is forked after all of it was imported.
    """
    interpreter = [sys.prefix, sys.exec_prefix, sys.base_prefix, *filter(None, sys.path)]
    masked = tuple(sorted({str(Path(path).resolve()) for path in hidden if Path(path).is_dir()}))
    return View(
        directories=tuple(_outermost(_with_targets([*_SYSTEM, *interpreter]), masked)),
        files=tuple(path for path in _SYSTEM_FILES if Path(path).exists()),
        devices=(*_DEVICES, *(_cuda_devices() if cuda else ())),
        hidden=masked,
        cuda=cuda,
    )


def _with_targets(paths: Iterable[str]) -> Iterator[str]:
    """Every path that is a directory, and where its symbolic links lead."""
    for path in paths:
        if Path(path).is_dir() and path != "/":
            yield os.path.normpath(path)
            yield os.path.realpath(path)


def _outermost(paths: Iterable[str], hidden: tuple[str, ...]) -> Iterator[str]:
    """Leave out what another of the paths shows anyway; in a hidden folder, each must be named itself."""
    shown: set[str] = set()
    for path in sorted(set(paths), key=len):
        above = next((str(p) for p in Path(path).parents if str(p) in shown or str(p) in hidden), None)
        if above not in shown:
            shown.add(path)
            yield path


def _cuda_devices() -> list[str]:
    nvidia = sorted(str(path) for path in Path("/dev").glob("nvidia*"))
    return [*nvidia, "/dev/dri"] if Path("/dev/dri").exists() else nvidia
