"""An exception of the student's code as plain data: its words and its own frames, cut to length."""

import builtins
import linecache
from collections.abc import Container
from types import TracebackType
from typing import Any

_MAX_MESSAGE, _MAX_NAME, _MAX_LINE = 4000, 120, 400
_MAX_FRAMES = 24
_MEMORY_WORDS = ("can't allocate memory", "CUDA out of memory", "not enough memory")


def describe(error: BaseException, own_files: Container[str]) -> dict[str, Any]:
    """What the judge needs to raise the like of `error` on its side."""
    message = _words(error)
    frames, left_out = _frames(error, own_files)
    return {
        "type": type(error).__name__[:_MAX_NAME],
        "builtins": [kind.__name__ for kind in type(error).__mro__ if _is_builtin(kind)],
        "message": message[:_MAX_MESSAGE],
        "frames": frames,
        "left_out": left_out,
        "memory": isinstance(error, MemoryError) or any(words in message for words in _MEMORY_WORDS),
    }


def _words(error: BaseException) -> str:
    try:
        # A syntax error's own text repeats the file and the line, which the frames tell.
        return str(str(error.msg if isinstance(error, SyntaxError) else error))
    except BaseException as again:
        return f"(its text could not be had: {type(again).__name__})"


def _is_builtin(kind: type) -> bool:
    return getattr(builtins, kind.__name__, None) is kind


def _frames(error: BaseException, own_files: Container[str]) -> tuple[list[list[Any]], int]:
    """The first and last frames in the submission's own files, and how many between them were left out."""
    own = [_frame(trace) for trace in _traces(error) if trace.tb_frame.f_code.co_filename in own_files]
    if isinstance(error, SyntaxError) and error.filename in own_files:
        line = error.lineno or 0
        own.append([error.filename, line, "<syntax>", _line(str(error.filename), line)])
    if len(own) <= _MAX_FRAMES:
        return own, 0
    half = _MAX_FRAMES // 2
    return own[:half] + own[-half:], len(own) - _MAX_FRAMES


def _traces(error: BaseException) -> list[TracebackType]:
    traces, trace = [], error.__traceback__
    while trace is not None:
        traces.append(trace)
        trace = trace.tb_next
    return traces


def _frame(trace: TracebackType) -> list[Any]:
    code = trace.tb_frame.f_code
    return [
        code.co_filename,
        trace.tb_lineno,
        code.co_name[:_MAX_NAME],
        _line(code.co_filename, trace.tb_lineno),
    ]


def _line(file: str, line: int) -> str:
    return linecache.getline(file, line).strip()[:_MAX_LINE]
