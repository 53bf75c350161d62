"""Writing one file whole or not at all."""

import os
import tempfile
from pathlib import Path

PARTS = ".*.part"
"""What the files of this module are called, by pattern, until they are whole."""


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, by way of a file beside it: no one ever sees half of it."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:40]}-", suffix=".part", dir=path.parent)
    part = Path(name)
    try:
        # Half characters from a student's message become escapes, which JSON reads as it should.
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text)
        part.chmod(0o644)  # mkstemp makes it private; the reports of one run are read by several people
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
