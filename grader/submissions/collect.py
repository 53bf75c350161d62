"""`grader collect`: what `grader submit` packed, taken in as one `<student>.zip` each, as `grader grade` reads them.

Nothing is refused for what is in it: a zip without its manifest, or edited since, is noted and taken in as it is.
"""

import argparse
import hashlib
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.exit_status import DONE, Unusable
from grader.reports.files import write_whole
from grader.reports.text import one_line
from grader.submissions.archive import opened, read_member
from grader.submissions.names import is_clutter, match_exercise
from grader.submissions.platforms import senders_by_name
from grader.submissions.reading import SOURCE_LIMIT, Unreadable, read_file
from grader.submit import MANIFEST

ZIP_LIMIT = 64_000_000

_AS_PACKED = re.compile(r"submission(?:[ _-]?\(?\d+\)?)?", re.IGNORECASE)


def collect_command(options: argparse.Namespace) -> int:
    """Take in all zips of the sources; the exit status."""
    out: Path = options.out
    found = list(_zips(options.sources, out))
    out.mkdir(parents=True, exist_ok=True)
    taken: dict[str, Path] = {}
    for path, student in found:
        if student is None:
            print(f"{path}: whose it is cannot be told; name it, or its folder, after the student.")
            continue
        if student.casefold() in taken:
            print(f"{student}: sent more than once: {path} is taken, not {taken[student.casefold()]}.")
        taken[student.casefold()] = path
        for note in _take(path, out / f"{student}.zip"):
            print(f"{student}: {note}.")
    loose = next(_loose(options.sources), None)
    hint = f"{loose} is in no zip; `grader grade` takes a folder of such files as it is." if loose else ""
    if not taken:
        raise Unusable(f"there is no student's zip in what was named. {hint}".strip())
    if hint:
        print(hint)
    print(f"{len(taken)} submission{'s' * (len(taken) != 1)} in {out}.")
    return DONE


def _zips(sources: Sequence[Path], out: Path) -> Iterator[tuple[Path, str | None]]:
    """Each zip with its student, if that can be told; those already in `out` are not sources."""
    for source in sources:
        if not source.is_dir():
            source.stat()  # an OSError names what does not exist
            yield source, student_of(source, Path())
            continue
        for path in sorted(source.rglob("*")):
            below = path.relative_to(source)
            is_zip = path.suffix.lower() == ".zip" and path.is_file() and not any(map(is_clutter, below.parts))
            if is_zip and path.resolve().parent != out.resolve():
                yield path, student_of(path, source)


def _loose(sources: Sequence[Path]) -> Iterator[Path]:
    """The notebooks and modules in the sources that are in no zip, so that nothing of them is taken in."""
    for source in filter(Path.is_dir, sources):
        for path in sorted(source.rglob("*")):
            sender = senders_by_name([], [path.name]).get(path.name)
            match = match_exercise(sender.file if sender else path.name)
            if match and path.is_file() and not any(map(is_clutter, path.relative_to(source).parts)):
                yield path


def student_of(path: Path, source: Path) -> str | None:
    """The student's id by the name of a zip, or of its folder below `source` if the zip is called as it was packed.

    Platforms' own names for downloads become `name_id`, by which their gradebooks are matched.
    """
    folder = path.parent.name if path.parent != source and path.is_relative_to(source) else ""
    senders = senders_by_name([folder], [path.name])
    for name in (path.name, folder):
        if name in senders:
            return senders[name].key
    return (folder or None) if _AS_PACKED.fullmatch(path.stem) else path.stem


def _take(path: Path, target: Path) -> Iterator[str]:
    """Copy one zip as it is; what is to be said about it."""
    try:
        content = read_file(path, ZIP_LIMIT)
    except Unreadable as reason:
        yield f"{path} {reason}, and was not taken in"
        return
    if target.exists() and target.read_bytes() != content:
        yield f"{target} is replaced by {path}"
    write_whole(target, content)
    try:
        with opened(target) as archive:
            yield from _remarks(archive)
    except Unreadable as reason:
        yield f"the zip {reason}"


def _remarks(archive: zipfile.ZipFile) -> Iterator[str]:
    """Where the files are not those that the manifest speaks of."""
    members = {member.filename: member for member in archive.infolist()}
    if MANIFEST not in members:
        yield "the zip has no manifest: `grader submit` did not make it"
        return
    try:
        claimed = dict(json.loads(read_member(archive, members[MANIFEST], SOURCE_LIMIT))["files"])
    except (Unreadable, ValueError, TypeError, KeyError, RecursionError):
        yield "the manifest cannot be read: it was edited after `grader submit`"
        return
    present = {name for name in members if match_exercise(name.rpartition("/")[2])}
    for name in sorted(present | {str(name) for name in claimed}):
        shown = one_line(name)
        if name not in claimed:
            yield f"{shown} was added after `grader submit`"
        elif name not in members:
            yield f"{shown} was taken out after `grader submit`"
        elif hashlib.sha256(read_member(archive, members[name], SOURCE_LIMIT)).hexdigest() != claimed[name]:
            yield f"{shown} was edited after `grader submit`"
