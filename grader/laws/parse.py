"""A student's source, as a syntax tree."""

import ast
import re

# Python's parser keeps every beginning of the name in `import a.b.c`: 200 kB of it take 8 GB and ten seconds.
_DOTTED = re.compile(r"(?:\.[\s\\]*+[^\s.\\,()\[\]]++[\s\\]*+)++")
_MOST_PARTS = 1000


def parse(source: str) -> ast.Module:
    """As `ast.parse`, but a dotted name without end is a `RecursionError`, as are other depths."""
    if any(run[0].count(".") > _MOST_PARTS for run in _DOTTED.finditer(source)):
        raise RecursionError("a dotted name of too many parts")
    return ast.parse(source)
