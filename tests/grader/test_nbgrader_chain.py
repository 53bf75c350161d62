"""nbgrader's own commands on the course, with real kernels, and the judge's marks beside nbgrader's."""

import copy
import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from grader.build.assignments import LANGUAGES, notebook_of
from grader.build.markers import parse_regions
from grader.build.skeleton import SHORTEST_TELLING_LINE
from grader.course import ASSIGNMENTS, EXERCISES, SOLUTIONS, Exercise
from grader.exit_status import Unusable
from grader.laws.load import load_laws
from grader.reports.gradebook import Written, check_gradebook, write_gradebook
from grader.reports.kept import read_report

EX2 = EXERCISES["ex2"]
NAME = EX2.module
ALL = sum(loaded.law.points for loaded in load_laws(EX2).values())
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
"""As in an activated environment: nbgrader calls `alembic` by its bare name."""
LOST = {"the_causal_mask_is_a_lower_triangle", "the_future_changes_nothing"}
"""The laws that a causal mask which forgets the diagonal breaks, beside those that only look at small sizes."""


@dataclass
class Course:
    """An nbgrader course folder, and what its commands said."""

    folder: Path
    said: dict[str, str] = field(default_factory=dict)

    def nbgrader(self, *command: str) -> str:
        """Run one of nbgrader's commands here, which must end well; what it said is also kept."""
        self.said[command[0]] = self._run("-m", "nbgrader", *command)
        return self.said[command[0]]

    def grader(self, *command: str) -> str:
        """Run one of our own commands here."""
        return self._run("-m", "grader.cli", *command)

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env={**os.environ, "PATH": PATH},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def released(self) -> nbformat.NotebookNode:
        return nbformat.read(self.folder / "release" / NAME / f"{NAME}.ipynb", as_version=4)

    def submit(self, student: str, notebook: nbformat.NotebookNode, version: int = 4) -> None:
        folder = self.folder / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(nbformat.writes(notebook, version=version), encoding="utf-8")

    def scores(self) -> dict[str, dict[str, float | None]]:
        """The score of each cell of each student in the gradebook; None where it waits for grading by hand."""
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as book:
            return {
                one.student.id: {
                    grade.name: None if grade.needs_manual_grade else grade.score
                    for notebook in one.notebooks
                    for grade in notebook.grades
                }
                for one in book.assignment_submissions(NAME)
            }


def cell(notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    return next(one for one in notebook.cells if one.id == name)


def solved(course: Course) -> nbformat.NotebookNode:
    """The released notebook with the solutions written into it."""
    source = nbformat.read(course.folder / "source" / NAME / f"{NAME}.ipynb", as_version=4)
    notebook = course.released()
    for one in notebook.cells:
        if one.metadata.get("nbgrader", {}).get("solution"):
            one.source = cell(source, one.id).source
    return notebook


def forget_the_diagonal(notebook: nbformat.NotebookNode) -> None:
    mask = cell(notebook, "write-causal_mask")
    mask.source = mask.source.replace(".tril()", ".tril(-1)")


def submit_all(course: Course) -> None:
    """An old format and a foreign kernel; nothing done; half right, with a student's own cells; tampered with."""
    right = solved(course)
    right.metadata.kernelspec = {"name": "conda-env-x-py", "display_name": "x", "language": "python"}
    course.submit("ada", nbformat.convert(right, 3), version=3)
    course.submit("bo", course.released())

    half = solved(course)
    forget_the_diagonal(half)
    cell(half, "write-padding_mask").source = cell(course.released(), "write-padding_mask").source
    own = (
        "%timeit -n1 -r1 1\nimport torch.nn.functional as F\nF.scaled_dot_product_attention(*[torch.ones(1, 2, 2)] * 3)"
    )
    half.cells.insert(6, nbformat.v4.new_code_cell(own + "\n1 / 0"))
    half.cells.append(nbformat.v4.new_code_cell("def unfinished(:"))
    course.submit("cy", half)

    tampered = solved(course)
    forget_the_diagonal(tampered)
    for name in ("setup", "rows_of_weights_sum_to_one", "the_causal_mask_is_a_lower_triangle"):
        tampered.cells.remove(cell(tampered, name))
    cell(tampered, "the_future_changes_nothing").source = "pass"
    changed = cell(tampered, "order_has_no_meaning")
    tampered.cells[tampered.cells.index(changed)] = nbformat.v4.new_markdown_cell(
        "text", id=changed.id, metadata=changed.metadata
    )
    for name in ("write-padding_mask", "large_scores_do_not_overflow"):
        double = copy.deepcopy(cell(tampered, name))
        double.id = f"copy-of-{name}"
        tampered.cells.insert(3, double)
    course.submit("dee", tampered)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The course after the whole chain: released, handed in, graded by nbgrader, with feedback."""
    course = Course(tmp_path_factory.mktemp("course"))
    shutil.copy(ASSIGNMENTS / "nbgrader_config.py", course.folder)
    shutil.copytree(ASSIGNMENTS / "source", course.folder / "source")
    course.nbgrader("generate_assignment", NAME)
    submit_all(course)
    course.nbgrader("autograde", NAME)
    course.nbgrader("generate_feedback", NAME)
    return course


@pytest.fixture(scope="module")
def nbgraders(course: Course) -> dict[str, dict[str, float | None]]:
    """The scores that nbgrader gave."""
    return course.scores()


@pytest.fixture(scope="module")
def ours(course: Course, nbgraders: dict[str, Any]) -> dict[str, dict[str, float | None]]:
    """The scores in the gradebook after `grader grade --gradebook`, which began with wrong ones."""
    assert nbgraders
    with Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}") as book:
        for grade in book.db.query(type(book.find_grade("order_has_no_meaning", NAME, NAME, "ada"))):
            grade.auto_score = 0.5
        book.db.commit()
    course.grader("grade", "submitted", "-o", "out", "--exercise", "ex2", "--gradebook", "sqlite:///gradebook.db")
    return course.scores()


def generate(folder: Path, url: str, exercises: Iterable[Exercise], force: bool = False) -> None:
    """`nbgrader generate_assignment` in this process, for several assignments."""
    config = Config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.db_url = url
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", PATH)
        api = NbGraderAPI(config=config)
        for exercise in exercises:
            assert api.generate_assignment(exercise.module, force=force)["success"]


def total(scores: dict[str, float | None]) -> float:
    return sum(score or 0 for score in scores.values())


def test_a_solved_notebook_has_full_marks_in_an_old_format_and_with_a_foreign_kernel(nbgraders: dict[str, Any]) -> None:
    assert total(nbgraders["ada"]) == ALL


def test_an_unsolved_notebook_has_none(nbgraders: dict[str, Any]) -> None:
    assert total(nbgraders["bo"]) == 0


def test_a_tampered_notebook_has_what_its_code_deserves(nbgraders: dict[str, Any]) -> None:
    """Deleted, edited, retyped and doubled cells change nothing: every law is tried, and those that fail lose."""
    lost = {name for name, score in nbgraders["dee"].items() if not score}
    assert lost >= LOST
    assert not lost & {"rows_of_weights_sum_to_one", "order_has_no_meaning", "large_scores_do_not_overflow"}
    assert None not in nbgraders["dee"].values()


def test_a_half_right_notebook_keeps_what_is_right(nbgraders: dict[str, Any]) -> None:
    assert 0 < total(nbgraders["cy"]) < total(nbgraders["dee"])
    assert nbgraders["cy"]["attention_agrees_with_torch"] == 2
    assert nbgraders["cy"]["the_padding_mask_is_true_at_real_tokens"] == 0
    assert nbgraders["cy"]["the_work_is_your_own"] == 1, "a comparison with the library is no shortcut"


def test_the_judge_s_marks_are_nbgrader_s(nbgraders: dict[str, Any], ours: dict[str, Any]) -> None:
    assert ours == nbgraders


def test_export_shows_the_judge_s_marks(course: Course, ours: dict[str, Any]) -> None:
    course.nbgrader("export")
    with (course.folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        shown = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in csv.DictReader(file)}
    assert shown == {student: (total(scores), ALL) for student, scores in ours.items()}


def test_what_was_left_out_of_a_notebook_is_noted(course: Course, ours: dict[str, Any]) -> None:
    assert ours
    report = (course.folder / "out" / "cy" / "report.json").read_text(encoding="utf-8")
    assert "is not Python (invalid syntax), so it was left out" in report
    assert "1 notebook command line (% or !) left out" in report


def test_feedback_shows_the_laws_words_and_no_traceback_of_ours(course: Course) -> None:
    html = (course.folder / "feedback" / "dee" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", "", html)
    for words in ("The law:", "smallest sizes that fail:", "Look at:"):
        assert words in text
    assert "grader/laws" not in text
    assert "grader/notebooks" not in text


def test_validate_accepts_a_solved_notebook(course: Course) -> None:
    """Of the notebook its first part, up to the first check, which is enough for the command."""
    path = course.folder / "solved.ipynb"
    notebook = solved(course)
    last = notebook.cells.index(cell(notebook, "the_causal_mask_is_a_lower_triangle"))
    notebook.cells = notebook.cells[: last + 1]
    nbformat.write(notebook, path)
    assert "Success! Your notebook passes all the tests." in course.nbgrader("validate", str(path))


def test_a_new_gradebook_is_filled_and_stays_usable(course: Course, ours: dict[str, Any]) -> None:
    """An assignment that was never generated is entered as nbgrader would, so that it can be generated afterwards."""
    reports = [read_report(course.folder / "out" / student / "report.json") for student in ours]
    url = f"sqlite:///{course.folder / 'new.db'}"
    whole = [report for report in reports if report is not None]
    assert check_gradebook(url) == course.folder / "new.db", "it was not there"
    assert write_gradebook(url, whole) == Written(sum(map(len, ours.values())), [report.student for report in whole])
    assert check_gradebook(url) is None
    assert write_gradebook(url, whole[:1]).added == [], "known by now"
    with Gradebook(url) as book:
        shown = {one.student.id: one.score for one in book.assignment_submissions(NAME)}
    assert shown == {student: total(scores) for student, scores in ours.items()}
    generate(course.folder, url, [EX2], force=True)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite:///no/where/gradebook.db", "unable to open database file"),
        ("gradebook.db", "expected an address such as sqlite:///gradebook.db"),
        ("nosql:///gradebook.db", "nosql"),
    ],
)
def test_an_unusable_gradebook_is_one_sentence(url: str, words: str) -> None:
    with pytest.raises(Unusable) as caught:
        check_gradebook(url)
    assert str(caught.value).startswith(f"--gradebook {url}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_new_gradebook_and_new_students_are_said(tmp_path: Path) -> None:
    """A wrong path is no accident that goes unnoticed."""
    folder = tmp_path / "submitted" / "ada"
    folder.mkdir(parents=True)
    shutil.copy(SOLUTIONS / EX2.filename, folder)
    course = Course(tmp_path)
    grade = ("grade", "submitted", "-o", "out", "--exercise", "ex2", "--gradebook", "sqlite:///new.db")
    told = course.grader(*grade)
    assert f"grader: there was no gradebook at {tmp_path / 'new.db'}, so a new one was made there" in told
    assert "1 student was added to the gradebook, which did not know them: ada" in told
    again = course.grader(*grade)
    assert "new one" not in again
    assert "did not know" not in again


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All five assignments as nbgrader releases them, in alternating languages: their code is the same."""
    folder = tmp_path_factory.mktemp("releases")
    shutil.copytree(ASSIGNMENTS / "source", folder / "source")
    for number, exercise in enumerate(EXERCISES.values()):
        path = folder / "source" / exercise.module / f"{exercise.module}.ipynb"
        path.write_text(notebook_of(exercise, LANGUAGES[number % 2]), encoding="utf-8")
    generate(folder, f"sqlite:///{folder / 'gradebook.db'}", EXERCISES.values())
    return folder / "release"


def telling_lines(exercise: Exercise) -> set[str]:
    """The lines of an exercise's solutions that could only come from there."""
    text = (SOLUTIONS / exercise.filename).read_text(encoding="utf-8")
    lines = text.splitlines()
    inside = {line.strip() for r in parse_regions(text, exercise.filename) for line in lines[r.begin : r.end - 1]}
    return {line for line in inside if len(line) >= SHORTEST_TELLING_LINE}


def test_no_release_holds_a_solution_or_a_hidden_test(releases: Path) -> None:
    """In any file of an assignment: no line of its own or of a later solution, no hidden check, no mark."""
    exercises = list(EXERCISES.values())
    for number, exercise in enumerate(exercises):
        needles = set().union(*(telling_lines(one) for one in exercises[number:]))
        needles -= set().union(set(), *(telling_lines(one) for one in exercises[:number]))
        assert len(needles) > 10
        for path in (one for one in (releases / exercise.module).rglob("*") if one.is_file()):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".ipynb":
                notebook = nbformat.reads(text, as_version=4)
                assert not any(one.get("outputs") or one.get("attachments") for one in notebook.cells)
                text = "\n".join([text, *(one.source for one in notebook.cells)])
            assert [needle for needle in needles if needle in text] == [], path.name
            for word in ("seed=", "BEGIN SOLUTION", "END SOLUTION", "HIDDEN TESTS"):
                assert word not in text or path.suffix == ".py", (path.name, word)


def test_zip_collect_finds_whose_each_notebook_is(course: Course) -> None:
    names = {
        "zed": "zed",
        "lovelaceada_1042_99887": "lovelaceada_1042",
        "Ada Lovelace_7_assignsubmission_file": "Ada Lovelace_7",
    }
    archive = course.folder / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    for name in names:
        shutil.copy(course.folder / "release" / NAME / f"{NAME}.ipynb", archive / f"{name}_{NAME}.ipynb")
    course.nbgrader("zip_collect", NAME)
    for student in names.values():
        assert (course.folder / "submitted" / student / NAME / f"{NAME}.ipynb").is_file()
