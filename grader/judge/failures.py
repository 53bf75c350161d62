"""A worker's description of an exception, raised again in the judge as one of its own types."""

import builtins
from functools import cache
from typing import Any

from grader.judge.text import clean
from grader.laws.errors import Frame, StudentError

_MAX_MESSAGE, _MAX_NAME, _MAX_LINE = 4000, 120, 400
_MAX_FRAMES = 24
# What would steer the judge's own iteration instead of being caught as a failure, and what needs arguments.
_PASSED_OVER = frozenset(
    {"StopIteration", "StopAsyncIteration", "BaseExceptionGroup", "ExceptionGroup"}
    | {"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError"}
)


def student_error(described: Any) -> StudentError:
    """The exception for a failure, whatever a worker sent as its description."""
    described = described if type(described) is dict else {}
    error = _error_type(_nearest_builtin(described.get("builtins")))()
    error.kind = clean(described.get("type"), _MAX_NAME)
    error.message = clean(described.get("message"), _MAX_MESSAGE)
    error.frames = tuple(_frames(described.get("frames")))
    return error


def is_memory_failure(described: Any) -> bool:
    """Whether the failure is that no more memory was to be had."""
    return type(described) is dict and described.get("memory") is True


def summary(error: StudentError) -> str:
    """Type, message and innermost place of a failure, in one line or more."""
    where = f" (line {error.frames[-1].line} of {error.frames[-1].file})" if error.frames else ""
    return f"{error.kind}: {error.message}{where}"


def _nearest_builtin(names: Any) -> str:
    for name in names if type(names) is list else ():
        if type(name) is str and name not in _PASSED_OVER:
            kind = getattr(builtins, name, None)
            if isinstance(kind, type) and issubclass(kind, Exception):
                return name
    return "Exception"


@cache
def _error_type(name: str) -> type[StudentError]:
    if name == "Exception":
        return StudentError
    return type(f"Student{name}", (StudentError, getattr(builtins, name)), {})


def _frames(described: Any) -> list[Frame]:
    frames = []
    for entry in described[:_MAX_FRAMES] if type(described) is list else ():
        if type(entry) is list and len(entry) == 4 and type(entry[1]) is int:
            file, line, function, text = entry
            frames.append(Frame(clean(file, _MAX_NAME), line, clean(function, _MAX_NAME), clean(text, _MAX_LINE)))
    return frames
