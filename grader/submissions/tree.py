"""The candidates in a student's folder. Links are never followed, and only regular files are ever opened."""

import os
from collections import deque
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path

from grader.submissions.candidates import Candidate, Scan
from grader.submissions.names import Match, is_clutter, match_exercise, readable
from grader.submissions.platforms import nbgrader_time
from grader.submissions.reading import Unreadable, modification_time, read_file

MAX_ENTRIES = 50_000
MAX_DEPTH = 30
_TIMESTAMP = "timestamp.txt"
_TIMESTAMP_LIMIT = 1000


def scan_folder(root: Path) -> Scan:
    """All candidates below `root`, the shallow ones first."""
    scan = Scan()
    waiting: deque[tuple[str, ...]] = deque([()])
    budget = MAX_ENTRIES
    while waiting and budget > 0:
        here = waiting.popleft()
        try:
            with os.scandir(root.joinpath(*here)) as entries:
                listing = sorted(islice(entries, budget), key=lambda entry: entry.name)
        except OSError as error:
            name = f"folder {_shown(here)}" if here else "whole folder"
            scan.remarks.append(f"the {name} cannot be opened ({error.strerror or error})")
            continue
        budget -= len(listing)
        for entry in listing:
            if not is_clutter(entry.name) and _look_at(entry, here, scan):
                waiting.append((*here, entry.name))
    if budget <= 0:
        scan.remarks.append(f"there are more than {MAX_ENTRIES:,} files; the deeper ones were not looked at")
    return scan


def _look_at(entry: os.DirEntry[str], here: tuple[str, ...], scan: Scan) -> bool:
    """Note what `entry` is; True if it is a folder to go into."""
    path = (*here, entry.name)
    if entry.is_symlink():
        scan.remarks.append(f"{_shown(path)} is a link; links are not followed")
        return False
    if entry.is_dir(follow_symlinks=False):
        if len(path) > MAX_DEPTH:
            scan.remarks.append(f"folders more than {MAX_DEPTH} deep were not looked at")
        return len(path) <= MAX_DEPTH
    match = match_exercise(entry.name)
    if not entry.is_file(follow_symlinks=False):
        scan.remarks.append(f"{_shown(path)} is neither a file nor a folder and was not opened")
    elif match is None:
        scan.see_archive(_shown(path), Path(entry.path))
    else:
        status = entry.stat(follow_symlinks=False)
        if status.st_nlink > 1:
            scan.remarks.append(f"{_shown(path)} is a hard link: the same file also has another name")
        shown = tuple(readable(part) for part in path)
        modified = modification_time(status.st_mtime)
        handed_in = _handed_in(match, here, Path(entry.path))
        scan.candidates.append(Candidate(match, shown, partial(read_file, Path(entry.path)), modified, handed_in))
    return False


def _handed_in(match: Match, here: tuple[str, ...], path: Path) -> datetime | None:
    """What nbgrader wrote beside a notebook of its own when it took the assignment in."""
    if not match.notebook or here != (match.exercise.module,):
        return None
    try:
        return nbgrader_time(read_file(path.with_name(_TIMESTAMP), _TIMESTAMP_LIMIT).decode("utf-8-sig", "replace"))
    except Unreadable:
        return None


def _shown(path: tuple[str, ...]) -> str:
    return readable("/".join(path))
