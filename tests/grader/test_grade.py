"""`grader grade` from end to end: the sample class, the reports' promises, and calls that cannot work."""

import contextlib
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grader.course import EXERCISES, EXERCISES_DIR, ROOT, SOLUTIONS

SAMPLE = ROOT / "tests" / "sample_class"
EXPECTED: dict[str, dict[str, dict[str, str]]] = json.loads((SAMPLE / "expected.json").read_text(encoding="utf-8"))
"""Which laws each student of the sample class does not pass, and their status, by exercise."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading is isolated on Linux only")


def grader(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False)


def report(out: Path, student: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((out / student / "report.json").read_text(encoding="utf-8"))
    return loaded


def not_passed(exercise: dict[str, Any]) -> dict[str, str]:
    return {law["name"]: law["status"] for law in exercise["tests"] if law["status"] != "passed"}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample class, graded."""
    out = tmp_path_factory.mktemp("sample")
    done = grader("grade", SAMPLE / "submissions", "-o", out)
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.parametrize("student", EXPECTED)
def test_each_student_of_the_sample_class_loses_what_is_expected(graded: Path, student: str) -> None:
    exercises = report(graded, student)["exercises"]
    assert {id: not_passed(exercise) for id, exercise in exercises.items()} == EXPECTED[student]


def test_the_sample_class_is_complete_in_every_file(graded: Path) -> None:
    with (graded / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert list(rows) == sorted(EXPECTED)
    for student, row in rows.items():
        exercises = report(graded, student)["exercises"]
        assert [float(row[id]) for id in EXERCISES] == [exercises[id]["score"] for id in EXERCISES]
        assert (graded / student / "report.html").stat().st_size > 1000
    assert (graded / "index.html").stat().st_size > 1000


def test_a_fault_costs_its_points_once(graded: Path) -> None:
    bashir = report(graded, "bashir")["exercises"]
    assert bashir["ex2"]["score"] < 20
    later = [law for id in ("ex3", "ex4", "ex5") for law in bashir[id]["tests"]]
    followed = [law for law in later if law["follow_through"]]
    assert followed, "softmax over the queries must show in the later exercises"
    assert all(law["follow_through"]["reference"] == "passed" for law in followed)
    assert sum(bashir[id]["score"] for id in ("ex3", "ex4", "ex5")) == 60


def test_a_second_run_keeps_what_is_finished(graded: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in graded.rglob("report.json")}
    started = time.monotonic()
    assert grader("grade", SAMPLE / "submissions", "-o", graded).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in graded.rglob("report.json")} == before
    assert time.monotonic() - started < 60


@pytest.fixture
def class_of_three(tmp_path: Path) -> Path:
    """The solution, the skeleton, and a wrong ex2."""
    for student, folder in {"solution": SOLUTIONS, "skeleton": EXERCISES_DIR}.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        for exercise in EXERCISES.values():
            text = (folder / exercise.filename).read_text(encoding="utf-8")
            (tmp_path / "class" / student / exercise.filename).write_text(text, encoding="utf-8")
    wrong = tmp_path / "class" / "wrong"
    wrong.mkdir()
    text = (SAMPLE / "submissions" / "lena" / EXERCISES["ex2"].filename).read_text(encoding="utf-8")
    (wrong / EXERCISES["ex2"].filename).write_text(text, encoding="utf-8")
    return tmp_path / "class"


def test_the_solution_scores_all_and_the_skeleton_nothing(class_of_three: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert grader("grade", class_of_three, "-o", out, "--only", "solution", "--only", "skeleton").returncode == 0
    assert report(out, "solution")["score"] == 100
    assert report(out, "skeleton")["score"] == 0
    statuses = {
        law["status"] for exercise in report(out, "skeleton")["exercises"].values() for law in exercise["tests"]
    }
    assert statuses == {"not_started"}


def test_reports_repeat_byte_by_byte(class_of_three: Path, tmp_path: Path) -> None:
    texts = []
    for run in ("first", "second"):
        out = tmp_path / run
        assert grader("grade", class_of_three, "-o", out, "--exercise", "ex2", "--seed", "7").returncode == 0
        texts.append({path.parent.name: path.read_bytes() for path in out.rglob("report.json")})
    assert set(texts[0]) == {"solution", "skeleton", "wrong"}
    assert texts[0] == texts[1]


def listen_to_ctrl_c() -> None:
    """A shell starts background jobs deaf to it, and so would be all that these tests start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupted_run_goes_on(class_of_three: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "grader.cli", "grade", str(class_of_three), "-o", str(out), "--jobs", "1"]
    options: dict[str, Any] = {"start_new_session": True, "preexec_fn": listen_to_ctrl_c}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, **options) as run:
        deadline = time.monotonic() + 120
        while not list(out.rglob("report.json")) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        _, told = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "are finished and kept" in told
    assert "Traceback" not in told
    assert not (out / "grades.csv").exists()
    assert grader("grade", class_of_three, "-o", out, "--exercise", "ex2").returncode == 0
    assert (out / "grades.csv").exists()
    assert not list(out.rglob("*.part"))


def children(pid: int) -> list[tuple[int, str]]:
    """The living children of a process, with their command lines."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, rest = stat.read_text(encoding="utf-8").rsplit(")", 1)
            if int(rest.split()[1]) == pid:
                command = stat.with_name("cmdline").read_bytes().replace(b"\0", b" ").decode()
                found.append((int(name.split()[0]), command))
    return found


def start_and_kill_zygote(class_folder: Path, out: Path) -> tuple[int, str]:
    """Grade with one job; once the first report is there, kill the grader's zygote."""
    command = [sys.executable, "-m", "grader.cli", "grade", str(class_folder), "-o", str(out), "--jobs", "1"]
    with subprocess.Popen([*command, "--exercise", "ex2"], stderr=subprocess.PIPE, text=True, cwd=ROOT) as run:
        deadline = time.monotonic() + 120
        while not list(out.rglob("report.json")) and time.monotonic() < deadline:
            time.sleep(0.02)
        for pid, text in children(run.pid):
            if "zygote" in text:
                os.kill(pid, signal.SIGKILL)
        _, told = run.communicate(timeout=120)
    return run.returncode, told


def test_without_the_zygote_nothing_is_graded_and_no_mark_is_given(class_of_three: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    finished = {"skeleton"}
    status, told = start_and_kill_zygote(class_of_three, out)
    assert status == 2
    assert "the process that forks the workers has ended" in told
    assert "Traceback" not in told
    assert {path.parent.name for path in out.rglob("report.json")} <= finished | {"solution"}
    assert not (out / "grades.csv").exists()
    assert grader("grade", class_of_three, "-o", out, "--exercise", "ex2").returncode == 0
    assert report(out, "solution")["score"] == 20


def test_grading_one_student_again_keeps_the_class(class_of_three: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert grader("grade", class_of_three, "-o", out, "--exercise", "ex2").returncode == 0
    before = (out / "grades.csv").read_text(encoding="utf-8")
    assert grader("grade", class_of_three, "-o", out, "--exercise", "ex2", "--only", "wrong").returncode == 0
    assert (out / "grades.csv").read_text(encoding="utf-8") == before


def test_exercises_that_a_run_takes_out_of_the_reports_are_said(class_of_three: Path, tmp_path: Path) -> None:
    """And so is whom the class's files leave out, as long as only some students are graded anew."""
    out = tmp_path / "out"
    options = ("--only", "wrong", "--only", "skeleton")
    assert grader("grade", class_of_three, "-o", out, "--exercise", "ex1", *options).stderr == ""
    done = grader("grade", class_of_three, "-o", out, "--exercise", "ex2", "--only", "wrong")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        f"grader: the reports in {out} held ex1: from now on they hold only ex2; "
        "grade all with --exercise ex1 --exercise ex2, or choose another folder."
    ]
    assert "left out here, as their reports are of other exercises: skeleton" in done.stdout
    both = grader("grade", class_of_three, "-o", out, "--exercise", "ex1", "--exercise", "ex2", *options)
    assert both.stderr == ""
    assert "left out here" not in both.stdout
    assert list(report(out, "wrong")["exercises"]) == ["ex1", "ex2"]


def test_a_folder_that_cannot_be_written_to_is_one_sentence(class_of_three: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    done = grader("grade", class_of_three, "-o", tmp_path / "out", "--exercise", "ex1")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_early_costs_nothing(class_of_three: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grader.cli", "grade", str(class_of_three), "-o", str(tmp_path / "out")]
    reading, writing = os.pipe()
    os.close(reading)
    command += ["--exercise", "ex1", "--only", "skeleton"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out" / "grades.csv").exists()


def test_reports_do_not_go_among_the_submissions(class_of_three: Path) -> None:
    done = grader("grade", class_of_three, "-o", class_of_three / "out", "--exercise", "ex1")
    assert done.returncode == 2
    assert "cannot go into the folder of submissions" in done.stderr


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_what_the_readme_s_commands_write_is_no_part_of_the_repository() -> None:
    written = ["OUT/grades.csv", "assignments/OUT/grades.csv", "SUBMISSIONS/ada.zip", "COPY/README.md"]
    done = subprocess.run(["git", "check-ignore", *written], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.splitlines() == written


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "nowhere"),
        ([SAMPLE / "submissions", "--only", "nobody"], "--only nobody"),
        ([SAMPLE / "submissions", "--device", "cuda"], "no GPU"),
        ([SAMPLE / "submissions", "--exercise", "ex9"], "ex9"),
        ([SAMPLE / "submissions", "--jobs", "0"], "less than 1"),
    ],
)
def test_what_cannot_work_is_one_sentence_and_exit_2(arguments: list[str | Path], words: str, tmp_path: Path) -> None:
    import torch

    if words == "no GPU" and torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    done = grader("grade", *arguments, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_no_isolation_is_never_silent(class_of_three: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ("--only", "wrong", "--exercise", "ex2", "--isolation", "none")
    done = grader("grade", class_of_three, "-o", out, *options)
    assert done.returncode == 0
    assert "without isolation" in done.stderr
    assert report(out, "wrong")["provenance"]["isolation"] == "none"


def grader_without_namespaces(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The grader on a machine that allows no user namespaces: in one that allows none below it."""
    forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    inside = ["unshare", "--user", "--map-root-user", "sh", "-c", forbid, "sh"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        pytest.skip("there are no user namespaces here to begin with")
    command = [*inside, sys.executable, "-m", "grader.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False)


def test_a_weaker_level_is_never_silent(class_of_three: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = grader_without_namespaces("grade", class_of_three, "-o", out, "--only", "skeleton", "--exercise", "ex1")
    if done.returncode == 2:  # a kernel without Landlock as well
        assert "No isolation for the students' code" in done.stderr
        assert not (out / "grades.csv").exists()
    else:
        assert "isolation is landlock, not namespaces: " in done.stderr
        assert report(out, "skeleton")["provenance"]["isolation"] == "landlock"


def test_a_level_that_is_asked_for_is_not_replaced(class_of_three: Path, tmp_path: Path) -> None:
    options = ("--exercise", "ex1", "--isolation", "namespaces")
    done = grader_without_namespaces("grade", class_of_three, "-o", tmp_path / "out", *options)
    assert done.returncode == 2
    assert "No isolation for the students' code on this machine. namespaces: " in done.stderr
    assert not list(tmp_path.rglob("report.json"))


CLAIM = """
def causal_mask(size):
    raise NotImplementedError("The grader lost the program: it did not end.")

def padding_mask(tokens, pad_id):
    raise NotImplementedError("this law did not report. That is a fault of the grader")

def scaled_dot_product_attention(q, k, v, mask=None):
    raise NotImplementedError("The program was killed by the system, most likely because memory ran out.")
"""


def test_no_text_of_a_student_s_passes_for_a_fault_of_ours(tmp_path: Path) -> None:
    """A report that is complete would stay if the run failed by our fault, and the submission be tried again."""
    path = tmp_path / "in" / "mallory" / "ex2_attention.py"
    path.parent.mkdir(parents=True)
    for text, score in (((SOLUTIONS / path.name).read_text(encoding="utf-8"), 20), (CLAIM, 0)):
        path.write_text(text, encoding="utf-8")
        done = grader("grade", tmp_path / "in", "-o", tmp_path / "out", "--exercise", "ex2", "--jobs", "1")
        assert done.returncode == 0, done.stderr
        assert report(tmp_path / "out", "mallory")["score"] == score
        assert "failed" not in done.stdout
