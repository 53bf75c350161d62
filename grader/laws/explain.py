"""From an exception to what a person reads: a status, a message, a counterexample."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.laws.drawing import Drawing
from grader.laws.errors import Frame, LawBroken, StudentError, WorkerLost
from grader.laws.help import help_with
from grader.laws.law import Law
from grader.results import LawStatus

MAX_FRAMES = 6
OUT_OF_MEMORY = ("can't allocate memory", "out of memory")

OwnFiles = Callable[[str], str | None]
"""What to call the file of a traceback's line if it is the student's; None for ours and torch's."""


def files_in(folder: Path) -> OwnFiles:
    """The files right in `folder` are the student's, called by their names."""
    return lambda filename: Path(filename).name if Path(filename).parent == folder else None


@dataclass(frozen=True)
class Outcome:
    """How one law went. `message` is one or more sentences, `case` says on which case, `drawings` show its tensors."""

    status: LawStatus
    message: str = ""
    case: str = ""
    drawings: Sequence[Drawing] = ()


def explain(error: BaseException, law: Law, own: OwnFiles) -> Outcome:
    """Say what `error` means for the student.

    `own` knows the student's files if their code ran in this process; frames of others are not shown.
    """
    if isinstance(error, WorkerLost):
        return Outcome(error.status, error.message)
    case = "" if hasattr(error, "in_its_own_sizes") else _describe_case(getattr(error, "drawn", {}))
    if isinstance(error, LawBroken):
        return Outcome("failed", error.message, case, error.drawings)
    frames = error.frames if isinstance(error, StudentError) else own_frames(error, own)
    if is_not_started(error, frames):
        return Outcome("not_started", _first_line(error) or f"{law.exercise.id}: not written yet")
    if not frames and not isinstance(error, (StudentError, SyntaxError)):
        # It was raised while the law used what the student's code had returned, or called it.
        where = "\n".join(part for part in (case, _last_frame(error)) if part)
        return Outcome("error", f"{type(error).__name__}: {_first_line(error)}", where)
    kind = error.kind if isinstance(error, StudentError) else type(error).__name__
    context = getattr(error, "context", "")  # a sentence of the law's about how it called the code
    raised = f"your code raised {kind}: {error}"
    out_of_memory = kind == "MemoryError" or any(words in str(error) for words in OUT_OF_MEMORY)
    return Outcome(
        "out_of_memory" if out_of_memory else "error",
        "\n".join(part for part in (raised, format_frames(frames), context, help_with(str(error))) if part),
        case,
    )


def is_not_started(error: BaseException, frames: tuple[Frame, ...]) -> bool:
    """A `raise NotImplementedError` of the student's file, and not one of torch's own (an operator it lacks)."""
    if not isinstance(error, NotImplementedError):
        return False
    return "raise" in frames[-1].text if frames else "aten::" not in str(error)


def format_frames(frames: tuple[Frame, ...]) -> str:
    """The student's own lines of a traceback, innermost last."""
    shown = frames if len(frames) <= MAX_FRAMES else (*frames[:2], *frames[-(MAX_FRAMES - 2) :])
    return "\n".join(f"  {frame.file}:{frame.line} in {frame.function}\n      {frame.text}" for frame in shown)


def own_frames(error: BaseException, own: OwnFiles) -> tuple[Frame, ...]:
    """The lines of a traceback that are in the student's own files, innermost last."""
    if isinstance(error, SyntaxError) and error.filename and (name := own(error.filename)):
        return (Frame(name, error.lineno or 0, "the file as a whole", (error.text or "").strip()),)
    return tuple(
        Frame(name, entry.lineno or 0, entry.name, (entry.line or "").strip())
        for entry in traceback.extract_tb(error.__traceback__)
        if (name := own(entry.filename))
    )


def _last_frame(error: BaseException) -> str:
    """The law's own line in which the error arose: there is no line of the student's to show."""
    entries = traceback.extract_tb(error.__traceback__)
    laws = [entry for entry in entries if Path(entry.filename).name.startswith("test_ex")]
    return f"in the law's line: {laws[-1].line}" if laws and laws[-1].line else ""


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else ""


def _describe_case(drawn: Mapping[str, Any]) -> str:
    shown = {name: value for name, value in drawn.items() if not isinstance(value, bool)}
    if shown.keys() <= {"seed"}:  # no size
        return ""
    words = [f"{name} {value}" if isinstance(value, int) else str(value) for name, value in shown.items()]
    return "smallest sizes that fail: " + ", ".join(words)
