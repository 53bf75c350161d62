"""`check` and `use_earlier_parts`, as a student meets them in a running notebook."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.build.assignments import LANGUAGES, notebook_of
from grader.course import ASSIGNMENTS, EXERCISES, EXERCISES_DIR, ROOT, SOLUTIONS
from grader.laws.explain import explain, files_in
from grader.laws.load import load_laws
from grader.laws.local import LocalImplementation, use_folder
from grader.laws.summary import failure_text

EX2, EX3 = EXERCISES["ex2"], EXERCISES["ex3"]
SOLUTION = (SOLUTIONS / EX2.filename).read_text(encoding="utf-8")
WRONG = SOLUTION.replace("softmax(dim=-1)", "softmax(dim=-2)")
RAISING = SOLUTION.replace("softmax(dim=-1)", "softmax(dim=-1, my=1)")
"""Fails wherever it is used, and every message shows by which line."""
SHORTCUT = """
import torch.nn.functional as F
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).softmax(dim=-1)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask), weights
"""
CELLS = {
    "setup": "from grader.notebooks import check",
    "not there": 'check("ex2", "the_causal_mask_is_a_lower_triangle")',
    "wrong": WRONG,
    "fails": 'check("ex2", "rows_of_weights_sum_to_one")',
    "misspelt": 'check("ex2", "row_of_weights_sum_to_one")',
    "no exercise": 'check("ex9", "row_of_weights_sum_to_one")',
    "shortcut": SHORTCUT,
    "own work by shortcut": 'check("ex2", "the_work_is_your_own")',
    "right": SOLUTION,
    "compare": "import torch.nn.functional as F\nF.scaled_dot_product_attention(*[torch.ones(1, 2, 2)] * 3)",
    "own work": 'check("ex2", "the_work_is_your_own")',
    "passes": 'check("ex2", "rows_of_weights_sum_to_one", seed=5)',
    "noisy": "import sys, warnings\nquiet = causal_mask\ndef causal_mask(size):\n    print('noise', file=sys.stderr)\n"
    "    warnings.warn('careful')\n    return quiet(size)",
    "passes noisily": 'check("ex2", "the_causal_mask_is_a_lower_triangle")',
    "crashes": "def causal_mask(size):\n    return torch.ones(size) @ torch.ones(3, 4)",
    "error": 'check("ex2", "the_causal_mask_is_a_lower_triangle")',
}


def run(*notebooks: Path) -> list[dict[str, dict[str, Any]]]:
    """What each code cell of each notebook printed, and whether it ended well."""
    runner = Path(__file__).with_name("notebook_runner.py")
    done = subprocess.run(
        [sys.executable, str(runner), *map(str, notebooks)], capture_output=True, text=True, encoding="utf-8", cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    seen: list[dict[str, dict[str, Any]]] = json.loads(done.stdout)
    return seen


def notebook(path: Path, cells: dict[str, str]) -> Path:
    path.parent.mkdir(parents=True)
    content = [{"cell_type": "code", "id": name, "source": source} for name, source in cells.items()]
    path.write_text(json.dumps({"cells": content}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The cells above, then three notebooks that build on exercise 2, each cell called by notebook and name."""
    folder = tmp_path_factory.mktemp("checks")
    uses = {
        "parts": "from grader.notebooks import use_earlier_parts\nuse_earlier_parts('ex3')",
        "whose": "from exercises.ex2_attention import causal_mask\nprint(causal_mask.__module__, causal_mask(2))",
    }
    paths = [notebook(folder / "ex2" / "a.ipynb", CELLS)]
    for name in ("published", "own", "neither"):
        paths.append(notebook(folder / name / "a.ipynb", uses))
        if name != "neither":
            shutil.copytree(ASSIGNMENTS / "source" / EX3.module / "earlier", folder / name / "earlier")
    (folder / "own" / EX2.filename).write_text("def causal_mask(size):\n    return 'my own'\n", encoding="utf-8")
    runs = dict(zip(("check", "published", "own", "neither"), run(*paths), strict=True))
    return {f"{name}: {cell}": result for name, cells in runs.items() for cell, result in cells.items()}


def test_a_failure_reads_as_in_pytest(seen: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / EX2.filename).write_text(WRONG, encoding="utf-8")
    use_folder(tmp_path)
    loaded = load_laws(EX2)["rows_of_weights_sum_to_one"]
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever the law says
        loaded.try_on(LocalImplementation(EX2, tmp_path), 0)
    expected = failure_text(loaded.law, explain(caught.value, loaded.law, files_in(tmp_path)))
    result = seen["check: fails"]
    assert not result["passed"]
    assert expected.strip() in result["out"] + result["err"]
    assert "Traceback" not in result["out"] + result["err"]


def test_a_pass_is_one_line(seen: dict[str, dict[str, Any]]) -> None:
    title = load_laws(EX2)["rows_of_weights_sum_to_one"].law.title
    assert seen["check: passes"]["out"] == f"passed: {title} (other draws, seed 5)\n"


def test_noise_on_stderr_is_no_failure(seen: dict[str, dict[str, Any]]) -> None:
    """nbgrader gives no points to a cell that wrote to stderr."""
    result = seen["check: passes noisily"]
    assert result["passed"]
    assert result["err"] == ""
    assert "noise" in result["out"]
    assert "careful" not in result["out"]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("check: not there", "this notebook defines no `causal_mask`."),
        ("check: misspelt", "ex2 has no law 'row_of_weights_sum_to_one'. Did you mean 'rows_of_weights_sum_to_one'?"),
        ("check: no exercise", "there is no exercise 'ex9'; the exercises are ex1, ex2, ex3, ex4, ex5."),
        ("check: own work by shortcut", "uses torch.nn.functional.scaled_dot_product_attention"),
        ("check: error", "Cell In[15]:2 in causal_mask\n"),
        ("neither: parts", "Put your own ex2_attention.py beside this notebook"),
    ],
)
def test_what_goes_wrong_is_said_without_a_traceback(cell: str, words: str, seen: dict[str, dict[str, Any]]) -> None:
    said = seen[cell]["out"] + seen[cell]["err"]
    assert not seen[cell]["passed"]
    assert words in said
    assert "Traceback" not in said


def test_own_work_is_what_the_notebook_defines_now(seen: dict[str, dict[str, Any]]) -> None:
    """Neither an earlier version of the function counts, nor a comparison with the library."""
    assert seen["check: own work"]["passed"], seen["check: own work"]


def test_a_module_beside_the_notebook_comes_before_the_published_solution(seen: dict[str, dict[str, Any]]) -> None:
    assert "your own ex2_attention.py" in seen["own: parts"]["out"]
    assert seen["own: whose"]["out"] == "exercises.ex2_attention my own\n"
    assert "the published solution, earlier/published_ex2_attention.py" in seen["published: parts"]["out"]
    assert "[ True,  True]" in seen["published: whose"]["out"]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Notebooks with the student's own earlier modules beside them, each cell called by notebook and name."""
    folder = tmp_path_factory.mktemp("followed")
    solutions = {id: (SOLUTIONS / one.filename).read_text(encoding="utf-8") for id, one in EXERCISES.items()}
    wrong_ex3 = solutions["ex3"].replace("return self.w_o(", "return (")
    not_begun, skeleton = (
        (EXERCISES_DIR / EXERCISES[id].filename).read_text(encoding="utf-8") for id in ("ex2", "ex3")
    )
    students: dict[str, tuple[str, str, dict[str, str], list[str]]] = {
        "right": ("ex3", solutions["ex3"], {"ex2": WRONG}, list(load_laws(EX3))),
        "both wrong": ("ex3", wrong_ex3, {"ex2": RAISING}, ["self_attention_agrees_with_torch"]),
        "not started": ("ex3", skeleton, {"ex2": WRONG}, ["self_attention_agrees_with_torch"]),
        "ex2 not started": ("ex3", solutions["ex3"], {"ex2": not_begun}, ["self_attention_agrees_with_torch"]),
        "ex4": (
            "ex4",
            solutions["ex4"],
            {"ex1": solutions["ex1"], "ex2": SOLUTION, "ex3": wrong_ex3},
            ["encoder_layer_agrees_with_torch"],
        ),
        "ex5": ("ex5", solutions["ex5"], {"ex2": RAISING, "ex4": solutions["ex4"]}, ["transformer_learns_to_copy"]),
    }
    paths = []
    for name, (exercise, text, own, laws) in students.items():
        cells = {
            "parts": f"from grader.notebooks import check, use_earlier_parts\nuse_earlier_parts('{exercise}')",
            "answer": text,
            **{law: f"check('{exercise}', '{law}')\ncheck('{exercise}', '{law}', seed=20)" for law in laws},
            "whose": "from exercises import ex2_attention\nprint(ex2_attention.__file__)",
        }
        paths.append(notebook(folder / name / "a.ipynb", cells))
        shutil.copytree(ASSIGNMENTS / "source" / EXERCISES[exercise].module / "earlier", folder / name / "earlier")
        for id, own_text in own.items():
            (folder / name / EXERCISES[id].filename).write_text(own_text, encoding="utf-8")
    runs = dict(zip(students, run(*paths), strict=True))
    return {f"{name}: {cell}": result for name, cells in runs.items() for cell, result in cells.items()}


def test_a_fault_in_an_own_earlier_part_costs_its_points_there_only(followed: dict[str, dict[str, Any]]) -> None:
    """Every law of exercise 3 passes, on both draws, and those that exercise 2 spoils say so."""
    results = {law: followed[f"right: {law}"] for law in load_laws(EX3)}
    assert {law: result["out"] + result["err"] for law, result in results.items() if not result["passed"]} == {}
    told = [law for law, result in results.items() if result["out"].count("own ex2_attention.py, where the fault") == 2]
    assert "self_attention_agrees_with_torch" in told
    assert "indivisible_features_raise" not in told
    assert followed["right: self_attention_agrees_with_torch"]["out"].count("\n") == 4


def test_a_fault_of_the_notebook_s_own_stays(followed: dict[str, dict[str, Any]]) -> None:
    """The words are those of the trial on the student's own parts."""
    result = followed["both wrong: self_attention_agrees_with_torch"]
    assert not result["passed"]
    assert "ex2_attention.py:" in result["out"] + result["err"]
    assert "no points are lost" not in result["out"] + result["err"]


def test_what_is_not_written_yet_is_not_started_whatever_came_before(followed: dict[str, dict[str, Any]]) -> None:
    result = followed["not started: self_attention_agrees_with_torch"]
    assert not result["passed"]
    assert "not started" in result["out"] + result["err"]
    assert followed["ex2 not started: self_attention_agrees_with_torch"]["passed"]


@pytest.mark.parametrize(
    ("cell", "module"),
    [
        ("ex4: encoder_layer_agrees_with_torch", "ex3_multi_head_attention.py"),
        ("ex5: transformer_learns_to_copy", "ex2_attention.py"),
    ],
)
def test_of_several_own_parts_the_faulty_one_is_named(
    cell: str, module: str, followed: dict[str, dict[str, Any]]
) -> None:
    assert followed[cell]["passed"], followed[cell]
    assert f"It fails on your own {module}, where the fault is," in followed[cell]["out"]


@pytest.mark.parametrize("name", ["right", "both wrong", "ex5"])
def test_the_notebook_keeps_its_own_earlier_parts(name: str, followed: dict[str, dict[str, Any]]) -> None:
    assert Path(followed[f"{name}: whose"]["out"].strip()).parts[-2:] == (name, EX2.filename)


ENDLESS = """
import time
calls = []
def causal_mask(size):
    calls.append(size)
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            pass
"""
MASK = "the_causal_mask_is_a_lower_triangle"


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """A notebook with a loop that never ends, which is mended later."""
    cells = {
        "answer": SOLUTION,
        "setup": f"from grader.notebooks import check, limit\nimport signal\ncheck('ex2', '{MASK}')\nlimit.SECONDS = 2",
        "endless": ENDLESS,
        "stalls": f"check('ex2', '{MASK}')\ncheck('ex2', '{MASK}', seed=20)",
        "calls": "print(len(calls))",
        "signal": "print(signal.getsignal(signal.SIGALRM) == signal.SIG_DFL, signal.getitimer(signal.ITIMER_REAL))",
        "mended": "def causal_mask(size):\n    return torch.ones(size, size, dtype=torch.bool).tril()",
        "passes": f"check('ex2', '{MASK}')\ncheck('ex2', '{MASK}', seed=20)",
    }
    return run(notebook(tmp_path_factory.mktemp("limited") / "ex2" / "a.ipynb", cells))[0]


needs_a_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such signal")


@needs_a_timer
def test_a_loop_that_never_ends_fails_its_check(limited: dict[str, dict[str, Any]]) -> None:
    """hypothesis neither shrinks the case nor tries it again, and the student is shown where it was."""
    said = limited["stalls"]["out"] + limited["stalls"]["err"]
    assert not limited["stalls"]["passed"]
    assert "it took more than 2 s: is there a loop that never ends?" in said
    assert "in causal_mask\n" in said
    assert "Traceback" not in said
    assert limited["calls"]["out"] == "1\n"


@needs_a_timer
def test_after_a_limit_all_is_as_before(limited: dict[str, dict[str, Any]]) -> None:
    assert limited["signal"]["out"] == "True (0.0, 0.0)\n"
    assert limited["passes"]["out"].count("passed: ") == 2, limited["passes"]


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, dict[str, Any]]]:
    """The five notebooks, solved and run, in one language each: the other has the same code (`test_handouts.py`)."""
    folder = tmp_path_factory.mktemp("solved")
    shutil.copytree(ASSIGNMENTS / "source", folder, dirs_exist_ok=True)
    paths = []
    for number, exercise in enumerate(EXERCISES.values()):
        paths.append(folder / exercise.module / f"{exercise.module}.ipynb")
        paths[-1].write_text(notebook_of(exercise, LANGUAGES[number % 2]), encoding="utf-8")
    return dict(zip(EXERCISES, run(*paths), strict=True))


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_solved_notebook_gets_every_point(exercise: str, solved: dict[str, dict[str, dict[str, Any]]]) -> None:
    cells = solved[exercise]
    assert [name for name, result in cells.items() if not result["passed"]] == []
    assert [name for name in load_laws(EXERCISES[exercise]) if cells[name]["err"]] == []


@pytest.mark.parametrize(
    ("exercise", "cell", "holds"),
    [
        ("ex2", "variance_of_scores", lambda out: 950 < float(out.splitlines()[-1].split()[1]) < 1100),
        ("ex5", "exact_match", lambda out: float(out.split("exact match: ")[1][:5]) >= 0.95),
        ("ex1", "bag_of_words", lambda out: len({line.split("tensor")[1] for line in out.splitlines()}) == 1),
    ],
)
def test_the_lesson_shows_what_its_text_says(
    exercise: str, cell: str, holds: Callable[[str], bool], solved: dict[str, dict[str, dict[str, Any]]]
) -> None:
    assert holds(solved[exercise][cell]["out"])
