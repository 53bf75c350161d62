"""What a student sees: `pytest` on the skeletons, on the solutions, and on a file with a fault in it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course import EXERCISES, EXERCISES_DIR, LAWS_DIR, ROOT, SOLUTIONS

ONE_FAST_FILE = str(EXERCISES["ex2"].laws)


def run_pytest(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )


@pytest.fixture
def copy_of_solutions(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    shutil.copytree(SOLUTIONS, folder)
    return folder


def test_skeletons_earn_nothing_and_read_as_not_started() -> None:
    seen = run_pytest(str(LAWS_DIR), "--implementation", str(EXERCISES_DIR)).stdout
    assert re.search(r"^total .* 0 of 100 ", seen, re.MULTILINE), seen
    assert "Traceback" not in seen
    assert "Error" not in seen
    assert re.search(r"^\d+ not started in", seen.splitlines()[-1].strip("= ")), seen.splitlines()[-1]


def test_the_header_says_which_implementation_is_tested() -> None:
    assert "implementation: solutions (the model solutions)" in run_pytest(ONE_FAST_FILE, "--collect-only").stdout


def test_an_unknown_implementation_is_one_sentence() -> None:
    seen = run_pytest("--implementation", "nowhere", ONE_FAST_FILE)
    assert seen.returncode == pytest.ExitCode.USAGE_ERROR
    assert "there is no such folder" in seen.stderr
    assert "Traceback" not in seen.stderr


def test_a_failing_law_is_told_in_words_with_its_smallest_case(copy_of_solutions: Path) -> None:
    attention = copy_of_solutions / EXERCISES["ex2"].filename
    attention.write_text(
        attention.read_text(encoding="utf-8").replace("softmax(dim=-1)", "softmax(dim=-2)"), encoding="utf-8"
    )
    seen = run_pytest(ONE_FAST_FILE, "--implementation", str(copy_of_solutions)).stdout
    for words in ("The law:", "But:", "smallest sizes that fail:", "expected", "yours", "difference", "Look at:"):
        assert words in seen, words
    assert "Traceback" not in seen
    assert "grader/laws" not in seen, "our own frames in a student's face"


def test_an_error_shows_the_students_own_lines_only(copy_of_solutions: Path) -> None:
    attention = copy_of_solutions / EXERCISES["ex2"].filename
    attention.write_text(
        attention.read_text(encoding="utf-8").replace("k.to(wide).transpose(-2, -1)", "k.to(wide)"), encoding="utf-8"
    )
    seen = run_pytest(ONE_FAST_FILE, "--implementation", str(copy_of_solutions)).stdout
    assert re.search(r"ex2_attention\.py:\d+ in scaled_dot_product_attention", seen)
    assert "site-packages" not in seen


def test_a_syntax_error_is_shown_with_its_line(copy_of_solutions: Path) -> None:
    attention = copy_of_solutions / EXERCISES["ex2"].filename
    attention.write_text("def causal_mask(size:\n    return 1\n", encoding="utf-8")
    seen = run_pytest(ONE_FAST_FILE, "--implementation", str(copy_of_solutions)).stdout
    assert re.search(r"SyntaxError.*\n.*ex2_attention\.py:1", seen), seen[:2000]
    assert "site-packages" not in seen


def test_a_missing_name_is_told_by_name(copy_of_solutions: Path) -> None:
    attention = copy_of_solutions / EXERCISES["ex2"].filename
    attention.write_text(
        attention.read_text(encoding="utf-8").replace("def causal_mask", "def casual_mask"), encoding="utf-8"
    )
    seen = run_pytest(ONE_FAST_FILE, "--implementation", str(copy_of_solutions)).stdout
    assert "ex2_attention.py defines no `causal_mask`." in seen
