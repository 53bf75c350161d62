"""Opening one file of a submission: regular files only, never through a link, never more than a limit."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Protocol

# Far more than anyone writes; reading a text for the own-work law takes a thousand times its size in memory.
SOURCE_LIMIT = 200_000
# A notebook carries outputs and pictures beside its code, of which nothing is kept.
NOTEBOOK_LIMIT = 20_000_000

# Without O_NONBLOCK, opening a FIFO waits for a writer. Windows knows neither flag and needs O_BINARY.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Unreadable(Exception):
    """A file that cannot be graded. The text continues a sentence that begins with the file's name."""


class Stream(Protocol):
    """What `read_limited` needs of an open file or archive member."""

    def read(self, size: int, /) -> bytes | None: ...


def open_regular(path: Path) -> BinaryIO:
    """`path` opened for reading; `Unreadable` if it is anything but a file, or may not be read."""
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        raise Unreadable(f"cannot be opened ({error.strerror or error})") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Unreadable("is not a regular file")
    return os.fdopen(descriptor, "rb")


def read_file(path: Path, limit: int) -> bytes:
    """The bytes of the regular file `path`; `Unreadable` if there are more than `limit`."""
    with open_regular(path) as stream:
        check_size(os.fstat(stream.fileno()).st_size, limit)
        try:
            return read_limited(stream, limit)
        except OSError as error:
            raise Unreadable(f"cannot be read ({error.strerror or error})") from None


def modification_time(seconds: float) -> datetime | None:
    """The time that a file system, or a zip, gives as seconds since 1970; None for one beyond the calendar."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def read_limited(stream: Stream, limit: int) -> bytes:
    """All that is left in `stream`, whatever its header claimed; `Unreadable` above `limit` bytes."""
    data = stream.read(limit + 1) or b""
    check_size(len(data), limit)
    return data


def check_size(size: int, limit: int) -> None:
    """`Unreadable` if `size` bytes are more than `limit`."""
    if size > limit:
        raise Unreadable(f"is larger than {limit // 1000:,} kB, the limit for one file")
