"""Which lines of a notebook are an exercise's answer: its names, and everything that they are made with.

A notebook also explores, draws and checks. None of that belongs to the answer: it may need what a grader does not
have, may fail without harm to the cells below, and may use the library to compare with. So the answer is a slice:
beginning with the exercise's names, the top-level statements that define a name, and those that define what these use.
Of a function that was written several times, the last one counts.
"""

import ast
import symtable
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from grader.laws.parse import parse


@dataclass(frozen=True)
class Answer:
    """The answer's `text`, and the numbers of the cells that are not Python, each with the reason."""

    text: str
    unreadable: Mapping[int, str]


@dataclass(frozen=True)
class _Statement:
    """Some lines of a cell, the names that they define or change, and those that they use.

    `runs` are the names that are used as soon as the lines run, and not only when a function in them is called.
    """

    cell: int
    text: str
    defines: frozenset[str]
    uses: frozenset[str]
    runs: frozenset[str]
    is_definition: bool = False
    is_future: bool = False


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
    kept = _without_rewritten(_slice(statements, names))
    kept.sort(key=lambda statement: not statement.is_future)
    parts = [
        "\n".join([f"# cell {cell}", *(statement.text for statement in group), ""])
        for cell, group in groupby(kept, key=lambda statement: statement.cell)
    ]
    return Answer("\n\n".join(parts), unreadable)


def _slice(statements: Sequence[_Statement], names: Sequence[str]) -> list[_Statement]:
    """The statements that `names` need, in order."""
    makers: dict[str, list[int]] = {}
    for number, statement in enumerate(statements):
        for name in statement.defines:
            makers.setdefault(name, []).append(number)
    needed = set(makers.get("*", [])) | {number for number, one in enumerate(statements) if one.is_future}
    taken: set[int] = set()
    asked, waiting = set(names), list(names)
    while waiting:
        for number in makers.get(waiting.pop(), []):
            if number not in taken:  # a statement may define many names
                taken.add(number)
                waiting += statements[number].uses - asked
                asked |= statements[number].uses
    return [statements[number] for number in sorted(needed | taken)]


def _without_rewritten(statements: Sequence[_Statement]) -> list[_Statement]:
    """Without functions and classes that are defined anew before anyone could have used them."""
    kept: list[_Statement] = []
    later: set[str] = set()
    for statement in reversed(statements):
        if statement.is_definition:
            if statement.defines <= later:
                continue
            later -= statement.runs
            later |= statement.defines
        elif statement.uses:
            later.clear()  # it may call anything that stands above
        kept.append(statement)
    return kept[::-1]


def _statements(cell: int, source: str) -> Iterator[_Statement]:
    """The top-level statements of a cell; those that share a line are one."""
    with warnings.catch_warnings(action="ignore"):  # of doubtful escapes, for instance
        body = parse(source).body
    lines = source.split("\n")
    groups: list[tuple[int, int, list[ast.stmt]]] = []
    for node in body:
        first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])
        last = node.end_lineno or node.lineno
        if groups and first <= groups[-1][1]:
            start, _, nodes = groups.pop()
            nodes.append(node)
            groups.append((start, last, nodes))
        else:
            groups.append((first, last, [node]))
    for first, last, nodes in groups:
        yield _statement(cell, "\n".join(lines[first - 1 : last]), nodes)


def _statement(cell: int, text: str, nodes: Sequence[ast.stmt]) -> _Statement:
    with warnings.catch_warnings(action="ignore"):
        table = symtable.symtable(text, "cell", "exec")
    symbols = table.get_symbols()
    defines = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported()}
    defines |= {name for node in nodes for name in _changed(node)}
    defines |= {"*" for node in nodes if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"}
    runs = {one.get_name() for one in symbols if one.is_referenced()}
    uses = set(runs)
    for inner in _inner_tables(table):
        outside = [symbol for symbol in inner.get_symbols() if symbol.is_global()]
        uses |= {symbol.get_name() for symbol in outside}
        defines |= {symbol.get_name() for symbol in outside if symbol.is_assigned()}
        if inner.get_type() == "class":
            runs |= {symbol.get_name() for symbol in outside}
    return _Statement(
        cell,
        text,
        frozenset(defines),
        frozenset(uses),
        frozenset(runs),
        is_definition=len(nodes) == 1 and isinstance(nodes[0], ast.FunctionDef | ast.ClassDef),
        is_future=any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in nodes),
    )


def _inner_tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """The symbol tables of all functions and classes in a statement."""
    waiting = list(table.get_children())
    while waiting:
        inner = waiting.pop()
        waiting += inner.get_children()
        yield inner


def _changed(node: ast.stmt) -> Iterator[str]:
    """The names whose objects a plain assignment changes: `MultiHeadAttention.forward = better`."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
            if isinstance(target, ast.Name):
                yield target.id
