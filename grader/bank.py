"""The bank: right and wrong answers, each a small module that says only where it differs from the solution.

An entry `tests/bank/wrong/e2_softmax_over_queries.py` holds

    \"\"\"First line: the misconception, as one sentence in a student's words. More, if needed, below.\"\"\"
    from solutions.ex2_attention import causal_mask     # names of the solution that it uses, if any
    LAWS = ("softmax_rows_sum_to_one",)                 # wrong entries: the laws that name this very fault
    ALSO = ("agrees_with_torch",)                       # wrong entries: other laws that its fault touches
    def scaled_dot_product_attention(...): ...          # what takes the place of the solution's

As a submission it is the solution's text with the entry's definitions behind: they replace, or derive from,
those of the same name, also for the rest of the solution.
"""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from grader.build.markers import BEGIN, END
from grader.course import EXERCISES, ROOT, SOLUTIONS, Exercise
from grader.exit_status import Unusable

BANK = ROOT / "tests" / "bank"
Kind = Literal["wrong", "right"]
_METADATA = ("LAWS", "ALSO")


@dataclass(frozen=True)
class Entry:
    """One answer. `laws` name its fault, at least one of them fails; `also` are others that it may fail."""

    id: str
    kind: Kind
    exercise: Exercise
    title: str
    laws: tuple[str, ...]
    also: tuple[str, ...]
    definitions: str

    @property
    def source(self) -> str:
        """The text of the submission that gives this answer."""
        return together(self)


def entries(kind: Kind, exercise: Exercise) -> list[Entry]:
    """The bank's answers of one kind to one exercise, in order of their ids."""
    return [read(path) for path in sorted((BANK / kind).glob(f"e{exercise.id[-1]}_*.py"))]


@cache
def read(path: Path) -> Entry:
    """The entry in a file.

    Raises:
        Unusable: if the file is not Python, or lacks its docstring or, a wrong one, its laws.
    """
    exercise = EXERCISES[f"ex{path.stem[1]}"]
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise Unusable(f"{path.name}, line {error.lineno}: {error.msg}.") from None
    title = (ast.get_docstring(tree) or "").partition("\n")[0]
    metadata = {name: value for statement in tree.body for name, value in _metadata(statement)}
    kind: Kind = "wrong" if path.parent.name == "wrong" else "right"
    if not title or (kind == "wrong") != bool(metadata.get("LAWS")):
        raise Unusable(f"{path.name} needs a docstring and, just if it is wrong, LAWS.")
    laws, also = (tuple(metadata.get(name, ())) for name in _METADATA)
    return Entry(path.stem, kind, exercise, title, laws, also, _definitions(path))


@cache
def together(*mistakes: Entry) -> str:
    """The solution's text and behind it what the entries define, as one module."""
    solution = (SOLUTIONS / mistakes[0].exercise.filename).read_text(encoding="utf-8").splitlines()
    kept = [line for line in solution if line.strip() not in (BEGIN, END)]
    return "\n\n\n".join(["\n".join(kept), *(entry.definitions for entry in mistakes)]) + "\n"


def _definitions(path: Path) -> str:
    """An entry's text without what only the bank reads."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for statement in ast.parse(text).body:
        if _metadata(statement) or _is_docstring(statement) or _is_from_solution(statement):
            assert statement.end_lineno is not None
            lines[statement.lineno - 1 : statement.end_lineno] = [""] * (statement.end_lineno - statement.lineno + 1)
    return "\n".join(lines).strip()


def _metadata(statement: ast.stmt) -> list[tuple[str, tuple[str, ...]]]:
    """The name and value of `LAWS = (...)` or `ALSO = (...)`; nothing for another statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _METADATA:
            return [(name, ast.literal_eval(value))]
    return []


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_from_solution(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("solutions")
