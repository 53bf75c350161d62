"""Writing one file whole or not at all."""

import os
import tempfile
from pathlib import Path

PARTS = ".*.part"
"""What the files of this module are called, by pattern, until they are whole."""


def write_whole(path: Path, content: str | bytes) -> None:
    """Write `content` to `path`, text as UTF-8, by way of a file beside it: no one ever sees half of it."""
    if isinstance(content, str):
        # Half characters from a student's message become escapes, which JSON reads as it should.
        content = content.encode("utf-8", "backslashreplace")
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:40]}-", suffix=".part", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        part.chmod(0o644)  # mkstemp makes it private; the reports of one run are read by several people
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
