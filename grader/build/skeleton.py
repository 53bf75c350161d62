"""From a model solution to the file that students start with.

Everything outside the solutions stays as it is: signatures, docstrings, imports and the numbered steps. Above
the steps of each solution comes a TODO line that names what to write; the solution itself becomes a
`NotImplementedError`, by whose text the grader knows work that has not been started.
"""

import ast
import io
import tokenize

from grader.build.markers import Region, SourceError, parse_regions
from grader.course import Exercise

PACKAGE_FILE = '''"""Your five exercises. Each file says what is asked, and each TODO where to write it.

A later exercise imports the earlier ones, so keep the names of files, functions, classes and arguments.
"""
'''

SHORTEST_TELLING_LINE = 12


def skeleton(text: str, exercise: Exercise, file: str) -> str:
    """The student's version of a solution's source text.

    Args:
        text: the source.
        exercise: which exercise it is.
        file: how errors should name the source.

    Raises:
        SourceError: if the markers are malformed, a public name of the exercise is missing, a line of a
            solution would still be readable, or the result is not Python.
    """
    regions = parse_regions(text, file)
    lines = text.splitlines()
    kept: list[str] = []
    done = 0
    for region in regions:
        marker = lines[region.begin - 1]
        indent = marker[: len(marker) - len(marker.lstrip())]
        kept += lines[done : region.first_step - 1]
        kept.append(f"{indent}# TODO: write {region.owner}, step by step.")
        kept += lines[region.first_step - 1 : region.begin - 1]
        kept.append(f'{indent}raise NotImplementedError("{exercise.id}: {region.owner} is not written yet")')
        done = region.end
    result = "\n".join([*kept, *lines[done:]]) + "\n"
    _check_names(result, exercise, file)
    _check_nothing_survives(text, regions, result, file)
    return result


def _check_names(result: str, exercise: Exercise, file: str) -> None:
    """The skeleton is Python and defines every public name of its exercise."""
    try:
        tree = ast.parse(result)
    except SyntaxError as error:
        raise SourceError(file, 1, f"its skeleton is not Python: {error.msg}") from error
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for name in exercise.names:
        if name not in defined:
            raise SourceError(file, 1, f"{exercise.id} needs {name}, which is not defined here.")


def _check_nothing_survives(text: str, regions: list[Region], result: str, file: str) -> None:
    """No line of a solution may be readable in the skeleton, be it in a comment or in a docstring."""
    lines = _without_comments(text)
    for region in regions:
        for number in range(region.begin + 1, region.end):
            line = lines[number - 1].strip()
            if len(line) >= SHORTEST_TELLING_LINE and line in result:
                raise SourceError(file, number, f"this line of a solution would survive in the skeleton: {line}")


def _without_comments(text: str) -> list[str]:
    """The source's lines without their comments, so that a shape comment hides no copied line."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return lines
