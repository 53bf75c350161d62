"""Does anything of a solution stand in what is handed out? Searched as text, line by line, and as bytecode."""

import hashlib
import inspect
import io
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache
from types import CodeType

from grader.build.markers import parse_regions
from grader.build.skeleton import SHORTEST_TELLING_LINE
from grader.course import EXERCISES, SOLUTIONS


def leaks(files: Mapping[str, bytes]) -> list[str]:
    """A sentence for each line and each function of a solution that stands in one of `files`, which go by their paths.

    Every file is searched, whatever it is. A line counts without its comment and indentation, also as a part of a
    longer one; a function of a solution also counts with other names for its variables.
    """
    return [
        *(
            f"{path} holds a line of the solution of {exercise}: {line}"
            for path, content in files.items()
            for line, exercise in _lines().items()
            if line.encode("utf-8") in content
        ),
        *(f"{path} is bytecode, which cannot be read line by line" for path in files if path.endswith(".pyc")),
        *(
            f"{path} holds {_functions()[function]} of a solution, if in other words: {name}"
            for path, content in files.items()
            if path.endswith(".py")
            for name, function in _code_of(content, path)
            if function in _functions()
        ),
    ]


@cache
def _lines() -> dict[str, str]:
    """The telling lines of all solutions, each with its exercise."""
    found = {}
    for exercise in EXERCISES.values():
        text = (SOLUTIONS / exercise.filename).read_text(encoding="utf-8")
        lines = text.splitlines()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column]
        for region in parse_regions(text, exercise.filename):
            for line in map(str.strip, lines[region.begin : region.end - 1]):
                if len(line) >= SHORTEST_TELLING_LINE:
                    found[line] = exercise.id
    return found


@cache
def _functions() -> dict[str, str]:
    """The solutions' functions by a digest of their bytecode, each with its name."""
    return {
        function: name
        for exercise in EXERCISES.values()
        for name, function in _code_of((SOLUTIONS / exercise.filename).read_bytes(), exercise.filename)
    }


def _code_of(source: bytes, path: str) -> Iterator[tuple[str, str]]:
    """Name and digest of each function in a source; the digest is the same whatever its variables are called."""
    try:
        waiting = [compile(source, path, "exec", dont_inherit=True, optimize=2)]
    except (SyntaxError, ValueError):
        return  # what is not Python holds no function
    while waiting:
        code = waiting.pop()
        inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        waiting += inner
        # Classes and modules are as public as their signatures, comprehensions say little by themselves.
        if code.co_flags & inspect.CO_NEWLOCALS and not code.co_name.startswith("<"):
            plain = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
            parts = (code.co_code, code.co_names, plain)
            yield code.co_qualname, hashlib.sha256(repr(parts).encode()).hexdigest()
