"""How numbers and other people's words are written down."""

import re
from collections.abc import Sequence

from grader.judge.text import clean as escaped

# Part of ordinary names: blanks of other widths, and the joiners of emoji and of Persian words.
_ORDINARY = re.compile("([\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u200c\u200d])")


def clean(text: str) -> str:
    """`text` with control, direction and half characters shown as escapes: nothing is hidden."""
    if text.isprintable():
        return text
    parts = _ORDINARY.split(text.replace("\r\n", "\n"))
    return "".join(part if i % 2 else escaped(part, len(part)) for i, part in enumerate(parts))


def one_line(text: str) -> str:
    """`text` cleaned, with line ends and tabs shown too: for names."""
    return clean(text).replace("\n", "\\n").replace("\t", "\\t")


def some(names: Sequence[str], most: int) -> str:
    """The first `most` names on one line, and how many more there are."""
    left = len(names) - most
    return ", ".join(map(one_line, names[:most])) + (f" and {left} more" if left > 0 else "")


def tidy(number: float) -> int | float:
    """`number` as an int if it is whole, else to four decimals: sums of points carry rounding errors."""
    rounded = round(number, 4)
    return int(rounded) if rounded == int(rounded) else rounded


def share(part: float, whole: float) -> float:
    """`part` of `whole` in percent, 0 of nothing."""
    return round(100 * part / whole, 2) if whole else 0.0
