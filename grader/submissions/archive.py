"""The candidates in a student's zip. Members are read into memory under limits; nothing is ever unpacked."""

import io
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

from grader.submissions.candidates import Candidate, Scan
from grader.submissions.names import is_clutter, match_exercise, shown
from grader.submissions.reading import Unreadable, check_size, modification_time, open_regular, read_limited

MAX_MEMBERS = 20_000
MAX_READ = 64_000_000
# The table of contents is read in one piece and takes ten times its size in memory.
_MAX_PIECE = 8_000_000
# Source text shrinks to a fifth or so; a thousandth is a bomb.
MAX_RATIO = 500
_UNIX_TIMES = 0x5455
_SYMLINK, _FILE_TYPE = 0o120000, 0o170000
# Others that zipfile knows (bzip2, LZMA) decompress a whole piece at once, however large it grows.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
    IndexError,
)


class _MeteredFile(io.FileIO):
    """A file that gives up when more is read from it than any honest archive needs."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "rb")
        self._size = os.fstat(descriptor).st_size
        self._left = MAX_READ

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = self._size - self.tell() if size is None or size < 0 else size
        if wanted > min(self._left, _MAX_PIECE):
            raise Unreadable("is too large to be read: its table of contents or its parts exceed the limits")
        data = super().read(max(wanted, 0)) or b""
        self._left -= len(data)
        return data


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """The zip at `path`; `Unreadable` if it is none, is broken, or lists too many members."""
    with open_regular(path) as stream, _MeteredFile(os.dup(stream.fileno())) as metered:
        try:
            archive = zipfile.ZipFile(metered)
        except _BROKEN as error:
            raise Unreadable(f"is not a readable zip ({_words(error)})") from None
        with archive:
            if len(archive.infolist()) > MAX_MEMBERS:
                raise Unreadable(f"holds more than {MAX_MEMBERS:,} files")
            yield archive


def scan_archive(archive: zipfile.ZipFile) -> Scan:
    """All candidates in `archive`, wherever they lie."""
    scan = Scan()
    latest: dict[tuple[str, ...], Candidate] = {}
    for member in archive.infolist():
        parts, escapes = _parts(member.filename)
        if member.is_dir() or not parts or any(is_clutter(part) for part in parts):
            continue
        path = "/".join(parts)
        if escapes:
            scan.remarks.append(f"{shown(member.filename)} points outside the zip and was left out")
        elif (member.external_attr >> 16) & _FILE_TYPE == _SYMLINK:
            scan.remarks.append(f"{shown(path)} is a link; links are not followed")
        elif match := match_exercise(parts[-1]):
            # Of two members with one name the last counts, as when a zip is unpacked.
            latest[parts] = Candidate(match, parts, partial(read_member, archive, member), _modified(member))
        else:
            scan.see_archive(shown(path))
    scan.candidates.extend(latest.values())
    return scan


def _parts(filename: str) -> tuple[tuple[str, ...], bool]:
    """The path of a member inside its zip, without root or drive, and whether it climbs out of it."""
    relative = re.sub(r"^[A-Za-z]:", "", filename.replace("\\", "/"))
    parts = tuple(part for part in relative.split("/") if part not in ("", "."))
    return tuple(part for part in parts if part != ".."), ".." in parts


def _modified(member: zipfile.ZipInfo) -> datetime | None:
    """When a member was last written: in UTC if the zip says so, else as its maker's clock showed it."""
    extra = member.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == _UNIX_TIMES and size >= 5 and len(extra) >= 9 and extra[4] & 1:
            return modification_time(struct.unpack("<i", extra[5:9])[0])
        extra = extra[4 + size :]
    try:
        return datetime(*member.date_time)
    except ValueError:
        return None


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> bytes:
    """The bytes of one member; `Unreadable` if there are more than `limit`, or it cannot be read."""
    if member.flag_bits & 0x1:
        raise Unreadable("is encrypted; make the zip without a password")
    if member.compress_type not in _METHODS:
        raise Unreadable("is compressed in an unusual way; make the zip with the system's own tool")
    check_size(member.file_size, limit)
    if member.file_size > MAX_RATIO * max(member.compress_size, 1):
        raise Unreadable(f"unpacks to more than {MAX_RATIO} times its size")
    try:
        with archive.open(member) as stream:
            return read_limited(stream, limit)
    except _BROKEN as error:
        raise Unreadable(f"cannot be read from the zip ({_words(error)})") from None


def _words(error: BaseException) -> str:
    return str(error) or type(error).__name__
