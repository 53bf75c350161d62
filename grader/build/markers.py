"""The marks in a source that say what students write themselves.

A region is what stands between two lines that hold nothing but `### BEGIN SOLUTION` and `### END SOLUTION`,
at any indentation. It consists of whole statements of one function's body. Directly above it stands a block
of comment lines, the first of which begins with `# 1. `: the steps, which the student sees too.
"""

import ast
import difflib
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"
FIRST_STEP = "# 1. "

Function = ast.FunctionDef | ast.AsyncFunctionDef


class SourceError(Exception):
    """A source that no skeleton can be made from; its text is one sentence that begins with `file:line`."""

    def __init__(self, file: str, line: int, sentence: str) -> None:
        super().__init__(f"{file}:{line}: {sentence}")


@dataclass(frozen=True)
class Region:
    """One solution. Line numbers count from 1; `first_step` is the first line of the steps above `begin`."""

    owner: str
    first_step: int
    begin: int
    end: int


def parse_regions(text: str, file: str) -> list[Region]:
    """The solution regions of a source, in order.

    Raises:
        SourceError: for the first marker or region that breaks the rules in this module's docstring, or for a
            function without a region, as its whole body would be handed out.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise SourceError(file, error.lineno or 1, f"this is not Python: {error.msg}") from error
    functions = dict(_functions(tree))
    lines = text.splitlines()
    regions = []
    for begin, end in _pairs(text, file):
        above = [name for name, node in functions.items() if node.lineno < begin]
        if not above or any(begin < node.lineno < end for node in _outer_statements(tree)):
            raise SourceError(file, begin, "a solution must stand inside the body of one function.")
        owner = above[-1]
        _check_statements(functions[owner], begin, end, file)
        regions.append(Region(owner, _first_step(lines, begin, file), begin, end))
    owners = {region.owner for region in regions}
    for name, node in functions.items():
        if name not in owners:
            raise SourceError(file, node.lineno, f"{name} has no solution region, so its body would be handed out.")
    return regions


def _outer_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module and of its classes, but not of its functions."""
    for node in tree.body:
        yield node
        if isinstance(node, ast.ClassDef):
            yield from node.body


def _functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """The functions of a module and the methods of its classes, by qualified name, from top to bottom."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, Function):
                    yield f"{node.name}.{member.name}", member


def _pairs(text: str, file: str) -> Iterator[tuple[int, int]]:
    """The line numbers of each BEGIN and its END."""
    begin: int | None = None
    for number, comment in _markers(text, file):
        if comment == BEGIN:
            if begin is not None:
                raise SourceError(file, number, f"a solution begins here inside the one that began in line {begin}.")
            begin = number
        elif begin is None:
            raise SourceError(file, number, "a solution ends here, but none has begun.")
        else:
            yield begin, number
            begin = None
    if begin is not None:
        raise SourceError(file, begin, f"this solution never ends: there is no {END!r} after it.")


def _markers(text: str, file: str) -> Iterator[tuple[int, str]]:
    """Line number and text of each marker, which must be spelled exactly and have its line to itself."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or not _resembles_marker(token.string):
            continue
        number = token.start[0]
        alone = lines[number - 1].lstrip()
        if alone not in (BEGIN, END):
            raise SourceError(
                file, number, f"{alone!r} is not a marker: the line must be exactly {BEGIN!r} or {END!r}."
            )
        yield number, alone


def _resembles_marker(comment: str) -> bool:
    """Whether a comment was meant as a marker. Ordinary comments have one `#`, so two or more always were."""
    words = comment.lstrip("#").strip().upper()
    return comment.startswith("##") or bool(
        difflib.get_close_matches(words, ("BEGIN SOLUTION", "END SOLUTION"), cutoff=0.8)
    )


def _check_statements(node: Function, begin: int, end: int, file: str) -> None:
    """A region takes whole statements of the function's own body, and at least one."""
    inside = 0
    for statement in node.body:
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        if begin < first and last < end:
            inside += 1
        elif first < end and begin < last:
            raise SourceError(file, begin, f"this solution cuts the statement in lines {first} to {last} apart.")
    if inside == 0:
        raise SourceError(file, begin, "this solution is empty: it holds no statement of its function.")


def _first_step(lines: list[str], begin: int, file: str) -> int:
    """The line number where the block of steps directly above line `begin` starts."""
    first = begin
    while first > 1 and lines[first - 2].lstrip().startswith("# "):
        first -= 1
    if not lines[first - 1].lstrip().startswith(FIRST_STEP):
        raise SourceError(file, begin, f"no steps stand above this solution: begin them with {FIRST_STEP!r}.")
    return first
