"""The skeletons: made from the solutions and nothing else, with no solution left in them."""

import ast
import doctest
import importlib.util
import inspect
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from grader.build import build
from grader.build.markers import BEGIN, END, SourceError, parse_regions
from grader.build.skeleton import skeleton
from grader.course import EXERCISES, EXERCISES_DIR, SOLUTIONS, Exercise

DEMO = Exercise("ex9", "ex9_demo", "Demo", ("double", "Box"))
SOURCE = '''"""Two things to write."""


def double(x: int) -> int:
    """Twice x."""
    # 1. Add x to itself.
    ### BEGIN SOLUTION
    twice_as_much = x + x
    return twice_as_much
    ### END SOLUTION


class Box:
    """Holds a value."""

    def __init__(self, value: int) -> None:
        # 1. Keep the value,
        #    whatever it is.
        ### BEGIN SOLUTION
        self.kept_value = value
        ### END SOLUTION
'''

MALFORMED: dict[str, tuple[str, str, int, str]] = {
    # name: (replace this once, by this, line of the fault, words of the message)
    "misspelt begin": ("### BEGIN SOLUTION", "### BEGIN SOLUTON", 7, "is not a marker"),
    "misspelt end": ("### END SOLUTION", "### END SOLUTIONS", 10, "is not a marker"),
    "lower case": ("### BEGIN SOLUTION", "### begin solution", 7, "is not a marker"),
    "two hashes": ("### BEGIN SOLUTION", "## BEGIN SOLUTION", 7, "is not a marker"),
    "one hash": ("### END SOLUTION", "# END SOLUTION", 10, "is not a marker"),
    "no space": ("### END SOLUTION", "###END SOLUTION", 10, "is not a marker"),
    "trailing space": ("### BEGIN SOLUTION", "### BEGIN SOLUTION ", 7, "is not a marker"),
    "unknown marker": ("### BEGIN SOLUTION", "### BEGIN HIDDEN TESTS", 7, "is not a marker"),
    "marker after code": ("return twice_as_much\n    ###", "return twice_as_much  ###", 9, "is not a marker"),
    "nested": ("return twice_as_much", "### BEGIN SOLUTION\n    return twice_as_much", 9, "inside the one"),
    "missing end": (
        "    ### END SOLUTION\n\n\nclass",
        "\n\nclass",
        18,
        "inside the one that began in line 7",
    ),
    "missing last end": (
        "        self.kept_value = value\n        ### END SOLUTION\n",
        "        self.kept_value = value\n",
        19,
        "never ends",
    ),
    "end without begin": ("    ### BEGIN SOLUTION\n    twice", "    twice", 9, "none has begun"),
    "empty": ("    twice_as_much = x + x\n    return twice_as_much\n", "", 7, "is empty"),
    "only a comment": ("twice_as_much = x + x\n    return twice_as_much", "# later", 7, "is empty"),
    "outside a function": (
        '"""Two things to write."""\n',
        "### BEGIN SOLUTION\nSIZE = 3\n### END SOLUTION\n",
        1,
        "inside the body of one function",
    ),
    "across functions": (
        "    ### END SOLUTION\n\n\nclass Box:",
        "\n\nclass Box:\n    ### END SOLUTION",
        7,
        "inside the body of one function",
    ),
    "half a statement": (
        "twice_as_much = x + x\n    return twice_as_much\n    ### END SOLUTION",
        "if x:\n        return x + x\n        ### END SOLUTION\n        return 0",
        7,
        "apart",
    ),
    "no steps": ("    # 1. Add x to itself.\n", "", 6, "no steps"),
    "unmarked function": (
        "class Box:",
        "def helper() -> int:\n    return 1\n\n\nclass Box:",
        13,
        "helper has no solution",
    ),
    "not Python": ("return twice_as_much", "return return", 9, "not Python"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_source_is_refused_with_its_line(name: str) -> None:
    old, new, line, words = MALFORMED[name]
    assert SOURCE.count(old) >= 1
    with pytest.raises(SourceError) as caught:
        parse_regions(SOURCE.replace(old, new, 1), "solutions/ex9_demo.py")
    assert str(caught.value).startswith(f"solutions/ex9_demo.py:{line}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_markers_named_in_a_docstring_are_not_markers() -> None:
    text = SOURCE.replace('"""Two things to write."""', f'"""Students write what is between\n{BEGIN}\nand\n{END}."""')
    assert [region.owner for region in parse_regions(text, "demo.py")] == ["double", "Box.__init__"]


def test_skeleton_keeps_everything_but_the_solution() -> None:
    expected = '''"""Two things to write."""


def double(x: int) -> int:
    """Twice x."""
    # TODO: write double, step by step.
    # 1. Add x to itself.
    raise NotImplementedError("ex9: double is not written yet")


class Box:
    """Holds a value."""

    def __init__(self, value: int) -> None:
        # TODO: write Box.__init__, step by step.
        # 1. Keep the value,
        #    whatever it is.
        raise NotImplementedError("ex9: Box.__init__ is not written yet")
'''
    assert skeleton(SOURCE, DEMO, "demo.py") == expected


@pytest.mark.parametrize(
    "place", ['"""Twice x, as in: twice_as_much = x + x"""', '"""Twice x."""  # twice_as_much = x + x']
)
def test_solution_text_that_would_survive_is_refused(place: str) -> None:
    text = SOURCE.replace('"""Twice x."""', place).replace("= x + x\n", "= x + x  # (B, T)\n")
    with pytest.raises(SourceError, match=r"demo\.py:8: .*would survive.*twice_as_much = x \+ x"):
        skeleton(text, DEMO, "demo.py")


def test_missing_public_name_is_refused() -> None:
    with pytest.raises(SourceError, match="ex9 needs double"):
        skeleton(SOURCE.replace("double", "twofold"), DEMO, "demo.py")


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A copy of the solutions, and the skeletons made from it."""
    sources, target = tmp_path / "solutions", tmp_path / "exercises"
    shutil.copytree(SOLUTIONS, sources, ignore=shutil.ignore_patterns("__pycache__"))
    assert build(sources=sources, target=target) == 0
    return sources, target


def test_the_repository_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert build(check=True) == 0
    assert capsys.readouterr() == ("", "")


def test_building_again_changes_nothing(folders: tuple[Path, Path]) -> None:
    sources, target = folders
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in target.iterdir()}
    assert set(before) == {"__init__.py", *(exercise.filename for exercise in EXERCISES.values())}
    assert build(sources=sources, target=target) == 0
    assert before == {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in target.iterdir()}


def _edited(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace("Exercise 2.", "Exercise two."), encoding="utf-8")


@pytest.mark.parametrize("spoil", [_edited, Path.unlink])
def test_a_stale_skeleton_fails_the_check_and_is_repaired(
    spoil: Callable[[Path], None], folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    sources, target = folders
    path = target / "ex2_attention.py"
    good = path.read_bytes()
    spoil(path)
    assert build(check=True, sources=sources, target=target) == 1
    out = capsys.readouterr().out
    assert out.startswith("--- exercises/ex2_attention.py (as it stands)\n+++ exercises/ex2_attention.py (from")
    assert "\n+" + '"""Exercise 2. ' in out
    assert not path.exists() or path.read_bytes() != good
    assert build(sources=sources, target=target) == 0
    assert path.read_bytes() == good


@pytest.mark.parametrize("check", [True, False])
def test_a_stranger_in_the_folder_is_a_fault(
    check: bool, folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    sources, target = folders
    (target / "answers.py").write_text("x = 1\n", encoding="utf-8")
    (target / "__pycache__").mkdir()
    assert build(check=check, sources=sources, target=target) == 1
    assert capsys.readouterr().err.splitlines() == [
        "exercises/answers.py: this is not a file of the course; the folder holds generated skeletons only."
    ]


def test_a_faulty_source_writes_nothing(folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    sources, target = folders
    before = {path.name: path.read_bytes() for path in target.iterdir()}
    (sources / "ex1_positional_encoding.py").unlink()
    broken = sources / "ex4_transformer.py"
    broken.write_text(broken.read_text(encoding="utf-8").replace(END, "### End Solution", 1), encoding="utf-8")
    _edited(sources / "ex2_attention.py")
    assert build(sources=sources, target=target) == 1
    missing, malformed = capsys.readouterr().err.splitlines()
    assert missing == "solutions/ex1_positional_encoding.py: the solution of ex1 is missing."
    assert malformed.startswith("solutions/ex4_transformer.py:")
    assert before == {path.name: path.read_bytes() for path in target.iterdir()}


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_no_statement_of_a_solution_is_in_any_skeleton(exercise: Exercise) -> None:
    """By syntax, where the generator itself checks by text."""
    source = (SOLUTIONS / exercise.filename).read_text(encoding="utf-8")
    regions = parse_regions(source, exercise.filename)
    solved = {
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt) and any(region.begin < node.lineno < region.end for region in regions)
    }
    assert len(solved) >= len(regions)
    for other in EXERCISES.values():
        tree = ast.parse((EXERCISES_DIR / other.filename).read_text(encoding="utf-8"))
        assert not solved & {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)}


def _load(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    """The five modules of a folder, by exercise, imported as the package `exercises` for this one test."""
    for name in [name for name in sys.modules if name == "exercises" or name.startswith("exercises.")]:
        monkeypatch.delitem(sys.modules, name)
    modules = {}
    for name in ("exercises", *(f"exercises.{exercise.module}" for exercise in EXERCISES.values())):
        file = folder / ("__init__.py" if name == "exercises" else f"{name.removeprefix('exercises.')}.py")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        modules[name] = module
    return {exercise.id: modules[f"exercises.{exercise.module}"] for exercise in EXERCISES.values()}


def test_every_public_name_of_a_skeleton_says_that_it_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    skeletons = _load(EXERCISES_DIR, monkeypatch)
    for exercise in EXERCISES.values():
        for name in exercise.names:
            public = getattr(skeletons[exercise.id], name)
            parameters = inspect.signature(public).parameters.values()
            required = sum(parameter.default is parameter.empty for parameter in parameters)
            message = rf"^{exercise.id}: {name}(\.__init__)? is not written yet$"
            with pytest.raises(NotImplementedError, match=message):
                public(*range(1, required + 1))


def test_the_worked_examples_in_the_docstrings_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in _load(SOLUTIONS, monkeypatch).items():
        result = doctest.testmod(module)
        assert result.attempted > 0, f"{name} has no worked example"
        assert result.failed == 0, f"{name}: see the output above"
