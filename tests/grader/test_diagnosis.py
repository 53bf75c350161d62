"""Known mistakes are recognised by what comes out of them, however they are written, and nothing else is named."""

import json
import time
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
import torch

from grader.bank import BANK, read
from grader.cli import main
from grader.course import EXERCISES, EXERCISES_DIR, SOLUTIONS
from grader.diagnosis.evidence import same_failure
from grader.diagnosis.words import ELSEWHERE, EXACTLY_THERE
from grader.laws.errors import LawBroken

EX2, EX3 = EXERCISES["ex2"], EXERCISES["ex3"]

OVER_QUERIES = """
import torch
from torch import einsum

def causal_mask(size):
    return torch.arange(size)[None, :] <= torch.arange(size)[:, None]

def padding_mask(tokens, pad_id):
    return tokens.ne(pad_id).unsqueeze(1).unsqueeze(1)

def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    logits = einsum("...qd,...kd->...qk", q.to(wide), k.to(wide))
    logits = logits * q.shape[-1] ** -0.5
    if mask is not None:
        logits = logits.masked_fill(mask.logical_not(), torch.finfo(logits.dtype).min)
    weights = logits.softmax(AXIS)
    if mask is not None:
        weights = weights.masked_fill(mask.logical_not(), 0.0)
    weights = weights.to(q.dtype)
    return einsum("...qk,...kd->...qd", weights, v), weights
"""


def broken(value: float, expected: float = 1.0, words: str = "off by up to 0.31.") -> LawBroken:
    return LawBroken(words, actual=torch.full((2, 3), value), expected=torch.full((2, 3), expected))


def test_the_same_values_are_the_same_failure() -> None:
    assert same_failure(broken(1.5), broken(1.5 + 1e-7))


@pytest.mark.parametrize(
    "other", [broken(1.6), broken(1.5, words="wrong in 3 places."), LawBroken("off by up to 0.31."), ValueError("no")]
)
def test_other_values_or_words_are_another_failure(other: Exception) -> None:
    assert not same_failure(broken(1.5), other)


def test_values_near_the_right_one_are_told_apart() -> None:
    assert not same_failure(broken(1.001), broken(1.002))


def test_numbers_in_words_may_differ_by_rounding() -> None:
    assert same_failure(LawBroken("off by 0.301 for size 3"), LawBroken("off by 0.302 for size 3"))
    assert not same_failure(LawBroken("off by 0.3 for size 3"), LawBroken("off by 0.3 for size 4"))


def test_a_sign_in_the_place_of_a_number_is_not_that_number() -> None:
    assert not same_failure(ValueError("got 1.5"), ValueError("got #"))
    assert not same_failure(ValueError("got #"), ValueError("got 1.5"))


def test_long_numbers_are_compared_at_once() -> None:
    """A comparison of 4,000 digits took a second; there is one with each known mistake."""
    began = time.process_time()
    for _ in range(20):
        assert not same_failure(ValueError("1" * 4000), ValueError("1" * 4000 + "x"))
    assert time.process_time() - began < 2


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("diagnosis")
    solution = (SOLUTIONS / EX2.filename).read_text(encoding="utf-8")
    no_scale = solution.replace(" / math.sqrt(q.size(-1))", "")
    texts = {
        "over the queries": OVER_QUERIES.replace("AXIS", "-2"),
        "right": OVER_QUERIES.replace("AXIS", "-1"),
        "two mistakes": no_scale.replace(".tril()", ".tril(-1)"),
        "only under a mask": read(BANK / "wrong" / "e2_detached_under_a_mask.py").source,
        "nobody does this": solution.replace(" / math.sqrt(q.size(-1))", " / math.sqrt(q.size(-1) + 0.37)"),
    }
    for name, text in texts.items():
        (folder / "in" / name).mkdir(parents=True)
        (folder / "in" / name / EX2.filename).write_text(text, encoding="utf-8")
    split = read(BANK / "wrong" / "e3_split_by_view.py")
    for name in ("over the queries", "only the later one"):
        (folder / "in" / name).mkdir(exist_ok=True)
        (folder / "in" / name / EX3.filename).write_text(split.source, encoding="utf-8")
    parts = {EX2: EXERCISES_DIR / EX2.filename, EX3: SOLUTIONS / EX3.filename}
    (folder / "in" / "earlier part not begun").mkdir()
    for exercise, path in parts.items():
        copy(path, folder / "in" / "earlier part not begun" / exercise.filename)
    assert main(["grade", str(folder / "in"), "-o", str(folder / "out"), "--exercise", "ex2", "--exercise", "ex3"]) == 0
    return folder / "out"


def laws(graded: Path, student: str, exercise: str) -> list[dict[str, Any]]:
    report = json.loads((graded / student / "report.json").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = report["exercises"][exercise]["tests"]
    return found


def named(graded: Path, student: str, exercise: str = "ex2") -> set[str]:
    return {entry["id"] for law in laws(graded, student, exercise) for entry in law["diagnosis"]}


def test_a_mistake_written_in_other_words_is_named(graded: Path) -> None:
    assert named(graded, "over the queries") == {"e2_softmax_over_queries"}


def test_a_special_case_of_a_mistake_is_not_taken_for_it(graded: Path) -> None:
    """The law's words tell in which circumstance it failed."""
    assert named(graded, "only under a mask") == {"e2_detached_under_a_mask"}


def test_two_mistakes_are_both_named(graded: Path) -> None:
    assert named(graded, "two mistakes") == {"e2_no_scaling", "e2_causal_excludes_self"}


@pytest.mark.parametrize("student", ["over the queries", "only the later one"])
def test_a_mistake_behind_a_faulty_or_missing_earlier_part_is_named_by_itself(graded: Path, student: str) -> None:
    assert named(graded, student, "ex3") == {"e3_split_by_view"}
    for law in laws(graded, student, "ex3"):
        if law["diagnosis"]:
            assert law["follow_through"]["reference"] == "failed"
            assert f"{ELSEWHERE} {EXACTLY_THERE}{law['diagnosis'][0]['title']}" in law["message"]


def test_an_earlier_part_that_is_not_begun_costs_only_its_own_points(graded: Path) -> None:
    assert {law["status"] for law in laws(graded, "earlier part not begun", "ex2")} == {"not_started"}
    later = laws(graded, "earlier part not begun", "ex3")
    assert {law["status"] for law in later} == {"passed"}
    assert {"own": "not_started", "reference": "passed"} in [law["follow_through"] for law in later]


def test_neither_a_right_answer_nor_an_unknown_mistake_is_given_a_name(graded: Path) -> None:
    assert named(graded, "right") == set()
    assert named(graded, "nobody does this") == set()
    text = (graded / "misconceptions.json").read_text(encoding="utf-8")
    counts = {each["id"]: each["count"] for each in json.loads(text)["misconceptions"]}
    assert counts.pop("e3_split_by_view") == 2
    assert set(counts.values()) == {1}
