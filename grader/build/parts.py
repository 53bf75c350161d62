"""A solution's source in the parts that a notebook shows: its imports, and each function or class with its marks."""

import ast

from grader.build.markers import BEGIN, END, parse_regions


def parts_of(text: str, file: str) -> tuple[str, dict[str, str]]:
    """What stands at the top of a module for all of it, and each of its functions and classes by name.

    The solutions in a part keep their `### BEGIN SOLUTION` and `### END SOLUTION`. `SourceError` if the marks are
    malformed.
    """
    regions = parse_regions(text, file)
    lines = text.splitlines()
    shared: list[str] = []
    parts: dict[str, str] = {}
    end = 0
    for node in ast.parse(text).body:
        begin, end_before = node.lineno, end
        end = node.end_lineno or begin
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            # The mark that ends a solution stands behind the last statement.
            own = [region.end for region in regions if region.owner.partition(".")[0] == node.name]
            end = max([end, *own])
            parts[node.name] = "\n".join(lines[begin - 1 : end])
        elif not isinstance(node, ast.Expr):  # the docstring
            between = lines[end_before : begin - 1] if shared else []
            shared += [*between, *lines[begin - 1 : end]]
    return "\n".join(shared), parts


def published(text: str) -> str:
    """A solution as it is published after the deadline: without the marks."""
    lines = [line for line in text.splitlines() if line.strip() not in (BEGIN, END)]
    return "\n".join(lines) + "\n"
