"""`grader release` and, in the copy, `grader submit`: what students get, and what they hand in."""

import ast
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.bundle import zip_bytes
from grader.cli import main
from grader.course import EXERCISES, ROOT, SOLUTIONS
from grader.release.contents import NAME, WORKFLOW, contents
from grader.release.leaks import leaks
from grader.release.proof import NotProved, prove, try_laws, write_files
from grader.submissions.arrivals import Arrival, Part
from grader.submissions.find import read
from grader.submit import submit_command

INSTALLED_BY_STUDENTS = {"torch", "numpy", "pytest", "hypothesis", "IPython"}
NOT_EVERYWHERE = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty", "winreg", "msvcrt"}
NOT_EVERYWHERE |= {f"os.{name}" for name in ("fork", "getuid", "setsid", "sched_getaffinity", "O_NOFOLLOW", "mkfifo")}
SECRET = (
    "solutions/",
    "tests/bank/",
    "tests/grader/",
    "grader/judge/",
    "grader/worker/",
    "grader/audit/",
    "grader/bank",
)

FILES = contents()


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A proved copy for GitHub Classroom; beside it is the same as a zip."""
    folder = tmp_path_factory.mktemp("release") / "copy"
    assert main(["release", str(folder), "--zip", str(folder.with_suffix(".zip")), "--classroom"]) == 0
    return folder


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to work in, as current folder."""
    write_files(FILES, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def imports_of(source: bytes) -> Iterator[str]:
    """The modules that a source may import; of `from a import b` both `a` and `a.b`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_a_proved_copy_is_put_in_place_whole(released: Path) -> None:
    assert files_in(released) == contents(classroom=True)
    assert sorted(path.name for path in released.parent.iterdir()) == ["copy", "copy.zip"]


def test_the_zip_is_the_same_copy_and_the_same_bytes_each_time(released: Path) -> None:
    zipped = released.with_suffix(".zip")
    with zipfile.ZipFile(zipped) as archive:
        inside = {name.removeprefix(f"{NAME}/"): archive.read(name) for name in archive.namelist()}
    assert inside == files_in(released)
    assert zip_bytes({f"{NAME}/{name}": content for name, content in inside.items()}) == zipped.read_bytes()


def test_only_a_copy_for_classroom_has_a_workflow_that_reports_points() -> None:
    assert WORKFLOW not in FILES
    workflow = contents(classroom=True)[WORKFLOW].decode()
    assert "${{ steps.laws.outputs.result }}" in workflow
    assert "classroom-resources/autograding-grading-reporter@v1" in workflow


def test_nothing_of_the_instructors_is_in_it() -> None:
    assert not [path for path in contents(classroom=True) if path.startswith(SECRET)]
    assert "solutions" not in FILES["pyproject.toml"].decode()


def test_it_holds_just_what_its_own_imports_need() -> None:
    waiting = [path for path in FILES if path.startswith(("conftest", "exercises/", "tests/", "grader/submit"))]
    waiting += ["grader/laws/plugin.py", "grader/notebooks/__init__.py"]
    needed: set[str] = set()
    while waiting:
        path = waiting.pop()
        needed.add(path)
        for name in imports_of(FILES[path]):
            parts = name.split(".")
            spelled = [f"{'/'.join(parts)}.py", *("/".join([*parts[:n], "__init__.py"]) for n in range(1, len(parts)))]
            waiting += [file for file in spelled if (ROOT / file).is_file() and file not in needed]
    assert needed == {path for path in FILES if path.endswith(".py")}


def test_nothing_in_it_is_bound_to_one_system_or_to_more_packages() -> None:
    for path in (path for path in FILES if path.endswith(".py")):
        imported = {name.partition(".")[0] for name in imports_of(FILES[path])}
        foreign = imported - set(sys.stdlib_module_names) - INSTALLED_BY_STUDENTS - {"grader", "exercises"}
        used = {
            f"{node.value.id}.{node.attr}"
            for node in ast.walk(ast.parse(FILES[path]))
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        assert not foreign, path
        assert not (imported | used) & NOT_EVERYWHERE, path


def test_a_folder_that_holds_something_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("keep me", encoding="utf-8")
    assert main(["release", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"grader: {tmp_path} is not an empty folder; name one that does not exist yet.\n"
    assert files_in(tmp_path) == {"mine.txt": b"keep me"}


@pytest.mark.parametrize(
    ("zipped", "words"),
    [
        (".", "there is a folder of that name"),
        ("no/x.zip", "no such folder"),
        ("copy/x.zip", "inside the students' copy"),
    ],
)
def test_a_zip_that_cannot_be_written_is_refused_before_the_copy_is(
    tmp_path: Path, zipped: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "copy").mkdir()
    assert main(["release", str(tmp_path / "copy"), "--zip", str(tmp_path / zipped)]) == 2
    assert words in capsys.readouterr().err
    assert not list((tmp_path / "copy").iterdir())


def test_no_line_and_no_function_of_a_solution_is_handed_out() -> None:
    assert leaks(contents(classroom=True)) == []


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))
def test_each_solution_is_found_as_text_and_with_other_names(exercise: SimpleNamespace) -> None:
    text = (SOLUTIONS / exercise.filename).read_bytes()
    lines = [line for line in leaks({"notes.md": text}) if "holds a line" in line]
    assert len(lines) > 10
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            own = {arg.arg for arg in node.args.args} | {
                name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and inner.id in own:
                    inner.id = f"my_{inner.id}"
                elif isinstance(inner, ast.arg):
                    inner.arg = f"my_{inner.arg}"
    renamed = leaks({"helper.py": ast.unparse(tree).encode()})
    assert {name for name in exercise.names if name[0].islower()} <= {found.split()[2] for found in renamed}


def test_bytecode_is_never_handed_out() -> None:
    assert leaks({"exercises/__pycache__/ex2.pyc": b""})


def test_a_leak_stops_the_release() -> None:
    with pytest.raises(NotProved, match=r"hint\.md holds a line of the solution of ex2"):
        prove({**FILES, "hint.md": b"Without a mask: `weights = scores.softmax(dim=-1)`."})


def test_a_copy_that_tests_the_installed_course_is_not_proved(copy: Path) -> None:
    """Without its own folder in front, the laws are tried on the skeletons of the course that is installed."""
    project = copy / "pyproject.toml"
    project.write_text(project.read_text(encoding="utf-8").replace('pythonpath = ["."]', ""), encoding="utf-8")
    with pytest.raises(NotProved, match="on other files than those in the copy"):
        try_laws(copy, "tests/exercises/test_ex2_attention.py", "-k", "causal_mask_is")


def test_submit_packs_the_five_files_and_says_how_far_they_are(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(SOLUTIONS / EXERCISES["ex2"].filename, copy / "exercises")
    (copy / "exercises" / EXERCISES["ex3"].filename).unlink()
    first = copy / "exercises" / EXERCISES["ex1"].filename
    written = first.read_text(encoding="utf-8").replace(
        'raise NotImplementedError("ex1: sinusoidal_encoding is not written yet")', "return torch.zeros(2)"
    )
    first.write_text(written, encoding="utf-8")
    (copy / "exercises" / "diary.txt").write_text("private", encoding="utf-8")
    assert submit_command(SimpleNamespace(out=Path("submission.zip"))) == 0  # type: ignore[arg-type]
    told = capsys.readouterr().out
    assert "not written yet: PositionalEncoding.__init__, PositionalEncoding.forward" in told
    assert "ex2_attention.py             packed\n" in told
    assert "ex3_multi_head_attention.py  missing" in told
    assert "ex4_transformer.py           packed, but unchanged: nothing is written yet" in told
    assert "4 of 5 files are in submission.zip" in told
    assert "otebooks" not in told
    with zipfile.ZipFile("submission.zip") as archive:
        manifest = json.loads(archive.read("manifest.json"))
        names = set(archive.namelist()) - {"manifest.json"}
    assert names == set(manifest["files"]) == {e.filename for e in EXERCISES.values() if e.id != "ex3"}
    assert datetime.fromisoformat(manifest["packed"]).tzinfo is not None
    assert set(manifest) == {"schema", "packed", "files", "versions"}, "no one's name, machine or folder is in it"


@pytest.mark.parametrize("notebook", ["ex2_attention.ipynb", "ex2_attention/ex2_attention.ipynb"])
def test_notebooks_are_not_packed_which_is_said(copy: Path, notebook: str, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / notebook).parent.mkdir(exist_ok=True)
    (copy / notebook).write_text("{}", encoding="utf-8")
    submit_command(SimpleNamespace(out=Path("submission.zip")))  # type: ignore[arg-type]
    assert capsys.readouterr().out.splitlines()[-1] == "Notebooks are not packed: hand them in as they are."
    with zipfile.ZipFile("submission.zip") as archive:
        assert not [name for name in archive.namelist() if name.endswith(".ipynb")]


def test_the_grader_takes_a_packed_zip_as_it_is(copy: Path) -> None:
    submit_command(SimpleNamespace(out=Path("ada.zip")))  # type: ignore[arg-type]
    submission = read(Arrival("ada", (Part(copy / "ada.zip", "ada.zip"),)))
    assert submission.sources == {
        id: (copy / "exercises" / exercise.filename).read_text(encoding="utf-8") for id, exercise in EXERCISES.items()
    }
    assert submission.notes == ()


def test_the_copys_own_command_can_submit_and_nothing_else(copy: Path) -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "grader.submit", *arguments], capture_output=True, text=True, cwd=copy, check=False
        )

    assert call("submit").returncode == 0
    assert call("grade", ".").returncode == 2
    (copy / "exercises").rename(copy / "elsewhere")
    lost = call("submit")
    assert lost.returncode == 2
    assert lost.stderr == "grader: there is no exercise in exercises/; call this in the course's own folder.\n"


def test_students_install_no_more_than_the_course_says() -> None:
    made = FILES["pyproject.toml"].decode()
    for line in (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("dependencies"):
            assert [part for part in line.split('"')[1::2] if f'"{part}"' in made] == line.split('"')[1::2]
    extras = made.partition("[project.optional-dependencies]\n")[2].partition("\n\n")[0]
    assert extras == 'notebooks = ["jupyterlab>=4", "matplotlib>=3.8"]'
