"""Which lines of a notebook are an exercise's answer: its names, and everything that they are made with.

A notebook also explores, draws and checks. None of that belongs to the answer: it may need what a grader does not
have, may fail without harm to the cells below, and may use the library to compare with. So the answer is a slice:
beginning with the exercise's names, the top-level statements that define a name, and those that define what these use.
"""

import ast
import symtable
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Answer:
    """The answer's `text`, and the numbers of the cells that are not Python, each with the reason."""

    text: str
    unreadable: Mapping[int, str]


@dataclass(frozen=True)
class _Statement:
    """Some lines of a cell, the names that they define or change, and those that they use."""

    cell: int
    text: str
    defines: frozenset[str]
    uses: frozenset[str]
    future: bool = False


def needed_code(cells: Mapping[int, str], names: Sequence[str]) -> Answer:
    """The part of `cells`, which are numbered and in order, that `names` need."""
    statements: list[_Statement] = []
    unreadable: dict[int, str] = {}
    for number, source in cells.items():
        try:
            statements += _statements(number, source)
        except (SyntaxError, ValueError) as error:
            unreadable[number] = str(getattr(error, "msg", error))
        except (RecursionError, MemoryError):
            unreadable[number] = "too deeply nested"
    kept = sorted(_slice(statements, names), key=lambda statement: not statement.future)
    parts = [
        "\n".join([f"# cell {cell}", *(statement.text for statement in group), ""])
        for cell, group in groupby(kept, key=lambda statement: statement.cell)
    ]
    return Answer("\n\n".join(parts), unreadable)


def latest(cells: Sequence[str]) -> list[str]:
    """Cells in the order in which they were run, without those whose every definition was run anew later."""
    kept: list[str] = []
    later: set[str] = set()
    for source in reversed(cells):
        try:
            defined = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        except SyntaxError:
            continue
        if not defined or defined - later:
            kept.append(source)
        later |= defined
    return kept[::-1]


def _slice(statements: Sequence[_Statement], names: Sequence[str]) -> list[_Statement]:
    """The statements that `names` need, in order."""
    makers: dict[str, list[int]] = {}
    for number, statement in enumerate(statements):
        for name in statement.defines:
            makers.setdefault(name, []).append(number)
    needed = set(makers.get("*", [])) | {number for number, one in enumerate(statements) if one.future}
    asked, waiting = set(names), list(names)
    while waiting:
        for number in makers.get(waiting.pop(), []):
            needed.add(number)
            waiting += statements[number].uses - asked
            asked |= statements[number].uses
    return [statements[number] for number in sorted(needed)]


def _statements(cell: int, source: str) -> Iterator[_Statement]:
    """The top-level statements of a cell; those that share a line are one."""
    with warnings.catch_warnings(action="ignore"):  # of doubtful escapes, for instance
        body = ast.parse(source).body
    lines = source.split("\n")
    groups: list[tuple[int, int, list[ast.stmt]]] = []
    for node in body:
        first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])
        last = node.end_lineno or node.lineno
        if groups and first <= groups[-1][1]:
            start, _, nodes = groups.pop()
            groups.append((start, last, [*nodes, node]))
        else:
            groups.append((first, last, [node]))
    for first, last, nodes in groups:
        text = "\n".join(lines[first - 1 : last])
        defines, uses = _names(text)
        changed = {name for node in nodes for name in _changed(node)}
        stars = {"*" for node in nodes if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"}
        future = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in nodes)
        yield _Statement(cell, text, frozenset(defines | changed | stars), frozenset(uses), future)


def _names(text: str) -> tuple[set[str], set[str]]:
    """The module-level names that a statement binds, and those that it or a function in it uses."""
    with warnings.catch_warnings(action="ignore"):
        top = symtable.symtable(text, "cell", "exec")
    symbols = top.get_symbols()
    defines = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported()}
    uses = {one.get_name() for one in symbols if one.is_referenced()}
    waiting = list(top.get_children())
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_global():
                uses.add(symbol.get_name())
                if symbol.is_assigned():
                    defines.add(symbol.get_name())
    return defines, uses


def _changed(node: ast.stmt) -> Iterator[str]:
    """The names whose objects a plain assignment changes: `MultiHeadAttention.forward = better`."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
            if isinstance(target, ast.Name):
                yield target.id
