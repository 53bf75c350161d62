"""`grader collect`: what `grader submit` packed, taken in as one `<student>.zip` each, as `grader grade` reads them.

Nothing is refused for what is in it: a zip without its manifest, or edited since, is noted and taken in as it is.
"""

import argparse
import hashlib
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.exit_status import DONE, Unusable
from grader.reports.files import write_whole
from grader.reports.text import one_line
from grader.submissions.archive import opened, read_member
from grader.submissions.candidates import at_most
from grader.submissions.names import is_clutter, match_exercise, readable, safe_name, shown
from grader.submissions.platforms import Sender, senders_by_name
from grader.submissions.reading import SOURCE_LIMIT, Unreadable, read_file
from grader.submit import MANIFEST

ZIP_LIMIT = 64_000_000

_AS_PACKED = re.compile(r"submission(?:[ _-]?\(?\d+\)?)?", re.IGNORECASE)


@dataclass(frozen=True)
class _Zip:
    """A zip and whose it is, empty if that cannot be told; `depth` is that of the folder with the student's name."""

    path: Path
    student: str
    attempt: str = ""
    depth: int | None = None
    note: str = ""

    def goes_before(self, other: "_Zip") -> bool:
        """Whether this one is taken of two, `other` named earlier.

        First what lies in the student's folder, and in the outer one of two: within a folder, students choose names.
        Then the last of a platform's attempts, or what is named later.
        """
        if self.depth != other.depth:
            return other.depth is None or (self.depth is not None and self.depth < other.depth)
        return not (self.attempt and other.attempt) or self.attempt >= other.attempt


def collect_command(options: argparse.Namespace) -> int:
    """Take in all zips of the sources; the exit status."""
    out: Path = options.out
    if out.resolve() in {source.resolve() for source in options.sources}:
        raise Unusable(f"the submissions cannot go where they come from: {out}")
    found = list(_zips(options.sources, out))
    out.mkdir(parents=True, exist_ok=True)
    chosen: dict[str, _Zip] = {}
    for each in found:
        if not each.student:
            _say(f"{each.path}: whose it is cannot be told; name it, or its folder, after the student.")
            continue
        taken, left = each, chosen.get(each.student.casefold())
        if left is not None:
            if not each.goes_before(left):
                taken, left = left, each
            _say(f"{each.student}: sent more than once: {taken.path} is taken, not {left.path}.")
        chosen[each.student.casefold()] = taken
    names: set[str] = set()
    for each in chosen.values():
        for note in at_most(list(_take(each, out / f"{safe_name(each.student, names)}.zip"))):
            _say(f"{each.student}: {note}.")
    loose = next(_loose(options.sources), None)
    hint = f"{loose} is in no zip; `grader grade` takes a folder of such files as it is." if loose else ""
    if not chosen:
        raise Unusable(one_line(f"there is no student's zip in what was named. {hint}".strip()))
    if hint:
        _say(hint)
    _say(f"{len(chosen)} submission{'s' * (len(chosen) != 1)} in {out}.")
    return DONE


def _say(sentence: str) -> None:
    """Names in it may hold what a terminal obeys."""
    print(one_line(sentence))


def _zips(sources: Sequence[Path], out: Path) -> Iterator[_Zip]:
    """Each zip with its student, if that can be told; those already in `out` are not sources."""
    below = {source: list(_paths(source, out)) for source in sources}
    # All at once: Blackboard's names tell users apart only beside each other.
    by_rule = senders_by_name([], [readable(path.name) for paths in below.values() for path in paths])
    for source, paths in below.items():
        if not source.is_dir():
            named = _whose(source, Path(), by_rule)
            yield named if named.depth is None else replace(named, depth=1)
            continue
        # Beside a folder with a zip as it was packed, which has no other name, one with a single zip is a student's.
        above = {path.parent.parent for path in paths if path.parent != source and _AS_PACKED.fullmatch(path.stem)}
        count = Counter(path.parent for path in paths)
        for path in paths:
            alone = path.parent != source and count[path.parent] == 1 and path.parent.parent in above
            yield _whose(path, source, by_rule, is_students=alone)


def _paths(source: Path, out: Path) -> Iterator[Path]:
    """The zips in a source, or the source itself if it is no folder."""
    if source.is_dir():
        for path in sorted(source.rglob("*")):
            below = path.relative_to(source)
            is_zip = path.suffix.lower() == ".zip" and path.is_file() and not any(map(is_clutter, below.parts))
            if is_zip and path.resolve().parent != out.resolve():
                yield path
    else:
        source.stat()  # an OSError names what does not exist
        yield source


def _loose(sources: Sequence[Path]) -> Iterator[Path]:
    """The notebooks and modules in the sources that are in no zip, so that nothing of them is taken in."""
    for source in filter(Path.is_dir, sources):
        for path in sorted(source.rglob("*")):
            sender = senders_by_name([], [path.name]).get(path.name)
            match = match_exercise(sender.file if sender else path.name)
            if match and path.is_file() and not any(map(is_clutter, path.relative_to(source).parts)):
                yield path


def _whose(path: Path, source: Path, by_rule: Mapping[str, Sender], *, is_students: bool = False) -> _Zip:
    """The zip at `path` with its student: that of its folder if the folder `is_students`; `by_rule` as names tell.

    Platforms' own names for downloads become `name_id`, by which their gradebooks are matched; a folder's goes before
    that of the zip, which may be the student's.
    """
    folders = [readable(folder) for folder in path.parts[:-1]]
    of_folders = senders_by_name(folders, [])
    depth = len(path.relative_to(source).parts) - 1 if path.is_relative_to(source) else 1
    for each in folders:
        if each in of_folders:
            return _Zip(path, of_folders[each].key, depth=depth)
    folder = readable(path.parent.name) if path.parent != source and path.is_relative_to(source) else ""
    stem = readable(path.stem)
    is_own = not _AS_PACKED.fullmatch(stem)
    if folder and is_students:
        other = is_own and stem.casefold() != folder.casefold()
        return _Zip(path, folder, depth=depth, note=f"{path} is theirs by its folder, not by its name" if other else "")
    if sender := by_rule.get(readable(path.name)):
        return _Zip(path, sender.key, sender.attempt)
    student = stem if is_own else folder
    return _Zip(path, student, depth=depth if folder and student.casefold() == folder.casefold() else None)


def _take(zipped: _Zip, target: Path) -> Iterator[str]:
    """Copy one zip as it is; what is to be said about it."""
    path = zipped.path
    if zipped.note:
        yield zipped.note
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
        yield "it is taken, but `grader submit` did not make it: there is no manifest"
        return
    try:
        claimed = dict(json.loads(read_member(archive, members[MANIFEST], SOURCE_LIMIT))["files"])
    except (Unreadable, ValueError, TypeError, KeyError, RecursionError):
        yield "the manifest cannot be read: it was edited after `grader submit`"
        return
    present = {name for name in members if match_exercise(name.rpartition("/")[2])}
    for name in sorted(present | {str(name) for name in claimed}):
        told = shown(name)
        if name not in claimed:
            yield f"{told} was added after `grader submit`"
        elif name not in members:
            yield f"{told} was taken out after `grader submit`"
        elif hashlib.sha256(read_member(archive, members[name], SOURCE_LIMIT)).hexdigest() != claimed[name]:
            yield f"{told} was edited after `grader submit`"
