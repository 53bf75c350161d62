"""Names as they arrive: which file is which exercise, what is clutter, what may name an output folder."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from grader.course import EXERCISES, Exercise

MAX_CHARACTERS = 100
# File systems count bytes, at most 255; the rest is for a suffix.
_MAX_BYTES = 200
# In a zip a path may be 65 kB long; its end tells what it is.
_SHOWN_START, _SHOWN_END = 120, 80
_CLUTTER = {"__MACOSX", "__pycache__"}
_FORBIDDEN = set('/\\:*?"<>|')
# Windows refuses these, whatever their suffix.
_RESERVED = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"
}
# These stand beside the students' folders.
_OURS = {"grades.csv", "class.json", "misconceptions.json", "index.html", "timings.json", "exports"}
# With what is added when a name is taken: "x (1)", "x-1", "x copy 2", "x - Copy"; blanks, hyphens are `_`.
_STEMS = {exercise.id: re.compile(rf"{exercise.module}(?:_*copy)?(?:_?\(?\d+\)?)?") for exercise in EXERCISES.values()}


@dataclass(frozen=True)
class Match:
    """A file name that stands for an exercise; not `exact` if it had to be guessed."""

    exercise: Exercise
    exact: bool
    notebook: bool


def match_exercise(filename: str) -> Match | None:
    """The exercise that `filename` answers: `ex2_attention.py`, `ex2_attention.ipynb`, or nearly so."""
    stem, dot, suffix = filename.rpartition(".")
    if not dot or suffix.lower() not in ("py", "ipynb"):
        return None
    notebook = suffix.lower() == "ipynb"
    plain = re.sub(r"[\s-]+", "_", stem.lower())
    for exercise in EXERCISES.values():
        if _STEMS[exercise.id].fullmatch(plain):
            exact = stem == exercise.module and suffix in ("py", "ipynb")
            return Match(exercise, exact, notebook)
    return None


def is_clutter(name: str) -> bool:
    """Whether a file or folder is something that systems leave behind and no one sends on purpose."""
    return name.startswith(".") or name in _CLUTTER


def readable(name: str) -> str:
    """A file name that can be written as UTF-8: composed, with bytes that are no UTF-8 shown as `\\xff`."""
    raw = name.encode("utf-8", "surrogateescape") if _has_surrogates(name) else name.encode("utf-8")
    return unicodedata.normalize("NFC", raw.decode("utf-8", "backslashreplace"))


def shown(path: str) -> str:
    """The path of a file in a submission as it may be told: of a very long one, its start and its end."""
    return path if len(path) <= _SHOWN_START + _SHOWN_END else f"{path[:_SHOWN_START]}…{path[-_SHOWN_END:]}"


def safe_name(student: str, taken: set[str]) -> str:
    """A folder name for `student` on any system, unlike all in `taken`, to which it is added.

    Names that need no change stay. Others get a short hash of the id as suffix, so that the same student has
    the same folder in each run.
    """
    name = unicodedata.normalize("NFC", student)
    name = "".join("_" if _unsafe(character) else character for character in name)
    name = _shortened(name.lstrip(".").rstrip(". "))
    stem = name.partition(".")[0].rstrip().lower()
    if name != student or not name or stem in _RESERVED or name.lower() in _OURS or _key(name) in taken:
        digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()
        name = f"{stem}_" if stem in _RESERVED else name
        base = _shortened(name, spare=9) or "student"
        # Two ids never share eight digits in practice; the longer suffix makes it certain.
        name = next(
            candidate
            for candidate in (f"{base}-{digest[:8]}", *(f"{base[:30]}-{digest[:n]}" for n in range(9, 65)))
            if _key(candidate) not in taken
        )
    taken.add(_key(name))
    return name


def _has_surrogates(name: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in name)


def _unsafe(character: str) -> bool:
    return character in _FORBIDDEN or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _shortened(name: str, spare: int = 0) -> str:
    """`name` cut to what file systems take, `spare` characters less, with no blank or dot at its end."""
    cut = name[: MAX_CHARACTERS - spare]
    while len(cut.encode("utf-8", "surrogatepass")) > _MAX_BYTES - spare:
        cut = cut[:-1]
    return cut.rstrip(". ")


def _key(name: str) -> str:
    """Equal for names that some file system would take for one."""
    return unicodedata.normalize("NFKC", name).casefold()
