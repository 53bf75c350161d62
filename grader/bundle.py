"""Zips that are byte by byte the same for the same files."""

import io
import zipfile
from collections.abc import Mapping

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip can hold
_UNIX = 3


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """A zip of `files`, which go by their paths in it. What begins with `#!` may be executed.

    Nothing is compressed: what a compressor makes depends on its version.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for path, content in sorted(files.items()):
            member = zipfile.ZipInfo(path, _LONG_AGO)
            member.create_system = _UNIX  # else the bytes tell the system that made them
            member.external_attr = (0o100755 if content.startswith(b"#!") else 0o100644) << 16
            archive.writestr(member, content)
    return stream.getvalue()
