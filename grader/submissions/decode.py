"""From bytes to source text, as Python itself would read it, or a reason why not."""

import codecs
import re

from grader.submissions.reading import Unreadable

# The longer mark first: UTF-32's begins with UTF-16's.
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_DECLARATION = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT = re.compile(rb"^[ \t\f]*(?:#.*)?$")
# Only what editors write. Others that Python knows are no alphabets, or take quadratic time (punycode).
_ALPHABETS = re.compile(
    r"iso8859-\d+|cp\d+|koi8-[rut]|mac-\w+|gb2312|gbk|gb18030|hz|big5\w*|shift_jis\w*|euc_\w+|iso2022_\w+|johab"
)


def decode(raw: bytes) -> str:
    """The text of a source file with `\\n` line ends and no byte order mark.

    UTF-8 is tried first, then the encoding that the file declares (PEP 263). `Unreadable` otherwise.
    """
    for mark, name in _WIDE_MARKS:
        if raw.startswith(mark):
            raise Unreadable(f"is saved as {name}, which Python cannot run; save it as UTF-8")
    if (nul := raw.find(0)) >= 0:
        raise Unreadable(f"holds a NUL byte at byte {nul} and is no text; save it as UTF-8")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        text = _decode_declared(raw, error.start)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _decode_declared(raw: bytes, fault: int) -> str:
    line = raw.count(b"\n", 0, fault) + 1
    invalid = f"is not valid UTF-8 at byte {fault} (line {line})"
    declared = _declared_encoding(raw)
    if declared is None:
        raise Unreadable(f"{invalid}; save it as UTF-8")
    try:
        encoding = codecs.lookup(declared).name
        if _ALPHABETS.fullmatch(encoding):
            return raw.decode(encoding)
    except (LookupError, UnicodeError):
        pass
    raise Unreadable(f"{invalid}, nor can it be read as {declared}, which it declares; save it as UTF-8")


def _declared_encoding(raw: bytes) -> str | None:
    """The encoding named in a comment on the first line, or on the second if the first holds no code."""
    for line in raw.split(b"\n", 2)[:2]:
        if match := _DECLARATION.match(line):
            return match[1].decode("ascii")
        if not _BLANK_OR_COMMENT.match(line.rstrip(b"\r")):
            return None
    return None
