"""The notebooks: made from handouts, solutions and laws alone, in two languages with the same cells."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.nbgraderformat import ValidationError
from nbgrader.nbgraderformat import reads as reads_marked

from grader.build.assignments import LANGUAGES, build_assignments, notebook_of
from grader.build.markers import SourceError
from grader.course import ASSIGNMENTS, EXERCISES, ROOT, SOLUTIONS, Exercise
from grader.laws.load import load_laws

POINTS = 20


@pytest.fixture(scope="module")
def built() -> dict[tuple[str, str], str]:
    """The text of each notebook, by exercise and language."""
    return {(id, language): notebook_of(EXERCISES[id], language) for id in EXERCISES for language in LANGUAGES}


@pytest.fixture
def handouts(tmp_path: Path) -> Path:
    """A course that has its handouts only."""
    shutil.copytree(ASSIGNMENTS / "handouts", tmp_path / "handouts")
    return tmp_path


@pytest.fixture
def course(handouts: Path) -> Path:
    """A course with the handouts, and the notebooks made from them."""
    shutil.copytree(ASSIGNMENTS / "source", handouts / "source")
    return handouts


def cells_of(text: str) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(text)["cells"]
    return cells


def marks_of(cell: dict[str, Any]) -> dict[str, Any]:
    marks: dict[str, Any] = cell["metadata"].get("nbgrader", {})
    return marks


def test_the_repository_s_notebooks_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert build_assignments(check=True) == 0
    assert capsys.readouterr() == ("", "")


def test_building_again_gives_the_same_bytes(course: Path, built: dict[tuple[str, str], str]) -> None:
    files = [path for path in (course / "source").rglob("*") if path.is_file()]
    before = {path: path.stat().st_mtime_ns for path in files}
    assert build_assignments(course=course) == 0
    assert before == {path: path.stat().st_mtime_ns for path in files}, "what is up to date is not written"
    for exercise in EXERCISES.values():
        path = course / "source" / exercise.module / f"{exercise.module}.ipynb"
        assert path.read_bytes() == built[exercise.id, "en"].encode()


def test_an_edited_handout_makes_its_notebook_stale(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handout = course / "handouts" / "en" / "ex2_attention.md"
    handout.write_text(handout.read_text(encoding="utf-8").replace("A picture first", "First a picture"), "utf-8")
    assert build_assignments(check=True, course=course) == 1
    out = capsys.readouterr().out
    assert out.startswith("--- ex2_attention/ex2_attention.ipynb (as it stands)\n")
    assert '\n+    "## 1. First a picture' in out


def test_the_other_language_is_a_choice_that_lasts(course: Path, built: dict[tuple[str, str], str]) -> None:
    """Until it is chosen otherwise, also where a notebook is missing or is none."""

    def texts() -> list[bytes]:
        return [(course / "source" / e.module / f"{e.module}.ipynb").read_bytes() for e in EXERCISES.values()]

    assert build_assignments(language="zh", course=course) == 0
    chinese = [built[id, "zh"].encode() for id in EXERCISES]
    assert texts() == chinese
    assert build_assignments(check=True, course=course) == 0
    (course / "source" / "ex1_positional_encoding" / "ex1_positional_encoding.ipynb").unlink()
    (course / "source" / "ex2_attention" / "ex2_attention.ipynb").write_text("[]", encoding="utf-8")
    assert build_assignments(course=course) == 0
    assert texts() == chinese
    assert build_assignments(language="en", course=course) == 0
    assert texts() == [built[id, "en"].encode() for id in EXERCISES]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_validators_accept_every_notebook(exercise: Exercise, language: str, built: dict[tuple[str, str], str]) -> None:
    text = built[exercise.id, language]
    nbformat.validate(nbformat.reads(text, as_version=4))
    try:
        reads_marked(text, as_version=4)
    except ValidationError as error:
        pytest.fail(str(error))
    for cell in cells_of(text):
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_each_law_is_graded_in_one_cell_with_its_points(exercise: Exercise, built: dict[tuple[str, str], str]) -> None:
    graded = {cell["id"]: marks_of(cell) for cell in cells_of(built[exercise.id, "en"]) if marks_of(cell).get("grade")}
    laws = {name: loaded.law.points for name, loaded in load_laws(exercise).items()}
    assert {name: marks["points"] for name, marks in graded.items()} == laws
    assert sum(laws.values()) == POINTS


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_both_languages_have_the_same_cells_and_code(exercise: Exercise, built: dict[tuple[str, str], str]) -> None:
    """Comments may be translated; whatever runs is the same."""
    english, chinese = (cells_of(built[exercise.id, language]) for language in LANGUAGES)
    assert [cell["id"] for cell in english] == [cell["id"] for cell in chinese]
    for one, other in zip(english, chinese, strict=True):
        assert (one["cell_type"], one["metadata"]) == (other["cell_type"], other["metadata"])
        texts = ["".join(cell["source"]) for cell in (one, other)]
        if one["cell_type"] == "code":
            assert len({ast.dump(ast.parse(text)) for text in texts}) == 1, one["id"]
        else:
            shapes = [[line.split(" ")[0] for line in text.splitlines() if line.startswith("#")] for text in texts]
            assert shapes[0] == shapes[1], one["id"]
            assert texts[0].count("\n|") == texts[1].count("\n|"), one["id"]
            assert texts[0].count("$$") == texts[1].count("$$"), one["id"]


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_beside_a_notebook_stand_only_published_earlier_solutions(exercise: Exercise) -> None:
    """No file there can take the place of a student's module, or be taken for what a student hands in."""
    folder = ASSIGNMENTS / "source" / exercise.module
    beside = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert beside == {f"earlier/published_{EXERCISES[id].filename}" for id in exercise.needs}
    for name in beside:
        assert "### " not in (folder / name).read_text(encoding="utf-8")


FAULTS = {
    # what: (replace this, by this, words of the sentence)
    "unknown law": ('check="rows_of', 'check="lines_of', "ex2 has no law lines_of_weights_sum_to_one"),
    "unknown part": ('solution="causal_mask"', 'solution="casual_mask"', "the solution of ex2 has no casual_mask"),
    "law without a cell": ('```python check="order_has_no_meaning"\n```\n', "", "no cell for order_has_no_meaning"),
    "two cells": ('name="heat_map"', 'name="draw_it"', "there are two cells draw_it"),
    "nothing said": ('```python name="heat_map"', "```python", "must say one of"),
    "unknown word": ('name="heat_map"', 'name="heat_map" graded=true', "must say one of"),
    "code for a check": ('order_has_no_meaning"\n', 'order_has_no_meaning"\nx = 1\n', "its block must be empty"),
    "no name": ('name="heat_map"', 'name="heat map"', "cannot be a cell's name"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_handout_is_refused_in_one_sentence(fault: str, handouts: Path) -> None:
    old, new, words = FAULTS[fault]
    handout = handouts / "handouts" / "zh" / "ex2_attention.md"
    text = handout.read_text(encoding="utf-8")
    assert text.count(old) == 1
    handout.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(SourceError, match=r"^zh/ex2_attention.md:\d+: [^\n]*\.$") as caught:
        notebook_of(EXERCISES["ex2"], "zh", handouts)
    assert words in str(caught.value)


def test_a_fault_in_either_language_writes_nothing(handouts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (handouts / "handouts" / "zh" / "ex5_training.md").write_text("# 空\n", encoding="utf-8")
    assert build_assignments(course=handouts) == 1
    assert capsys.readouterr().err.startswith("zh/ex5_training.md:1: there is no cell for ")
    assert not (handouts / "source").exists()


def without(*modules: str, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program where these modules are not installed."""
    absent = f"import sys; sys.modules.update(dict.fromkeys({modules!r}))\n"
    command = [sys.executable, "-c", absent + program]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_without_jupytext_the_command_says_what_to_install() -> None:
    seen = without("jupytext", program="from grader.cli import main; sys.exit(main(['build', '--check']))")
    assert seen.returncode == 2
    assert seen.stderr.splitlines() == [
        "grader: the notebooks were left out, as they need jupytext: pip install -e '.[nbgrader]'"
    ]


def test_grading_needs_nothing_of_nbgrader() -> None:
    extra = ("nbgrader", "jupytext", "nbformat", "nbconvert", "matplotlib", "IPython", "sqlalchemy")
    seen = without(*extra, program="import grader.grade, grader.notebooks, grader.build")
    assert seen.returncode == 0, seen.stderr


def test_solutions_name_every_imported_part() -> None:
    """What a solution cell uses, the imports cell brings: the parts of a solution are the whole solution."""
    for exercise in EXERCISES.values():
        whole = ast.parse((SOLUTIONS / exercise.filename).read_text(encoding="utf-8")).body[1:]
        cells = cells_of(notebook_of(exercise, "en"))
        sources = [
            "".join(cell["source"]) for cell in cells if cell["id"] == "imports" or cell["id"].startswith("write-")
        ]
        parts = [node for source in sources for node in ast.parse(source).body]
        assert {ast.dump(node) for node in parts} == {ast.dump(node) for node in whole}
