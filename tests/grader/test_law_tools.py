"""The tools that laws are written with: bounded search, strict comparison, readable drawings."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.core
import pytest
import torch
from hypothesis import strategies as st

from grader.course import EXERCISES
from grader.laws.compare import agree, check_gradient, check_tensor, in_its_own_sizes
from grader.laws.drawing import as_text, draw
from grader.laws.errors import LawBroken, MissingName, WorkerLost
from grader.laws.explain import Outcome, explain, files_in
from grader.laws.forall import DEFAULT_EXAMPLES, SHRINK_TRIES, forall
from grader.laws.law import Law
from grader.laws.local import ImplementationHere
from grader.laws.tensors import random_tensor

LAW = Law(EXERCISES["ex2"], "a_law", 1, "family", "A law", "there", "Something holds.")


def counted(fails: Callable[[int, int], bool]) -> tuple[list[tuple[int, int]], Callable[[], None]]:
    tried: list[tuple[int, int]] = []

    @forall(size=st.integers(1, 50), seed=st.integers(0, 1000))
    def law(size: int, seed: int) -> None:
        tried.append((size, seed))
        if fails(size, seed):
            raise LawBroken("it does not hold")

    return tried, law


def test_a_law_that_holds_is_tried_on_the_usual_number_of_cases() -> None:
    tried, law = counted(lambda size, seed: False)  # noqa: ARG005
    law()
    assert 1 < len(tried) <= DEFAULT_EXAMPLES


def test_the_smallest_failing_case_is_found_and_kept_on_the_exception() -> None:
    _, law = counted(lambda size, seed: size >= 7)  # noqa: ARG005
    with pytest.raises(LawBroken) as caught:
        law()
    assert caught.value.drawn == {"size": 7, "seed": 0}  # type: ignore[attr-defined]


def test_sizes_are_told_of_the_case_or_of_the_row_of_a_table_that_fails_and_never_of_both() -> None:
    @in_its_own_sizes
    def check_rows(size: int) -> None:
        raise LawBroken(f"with {size + 1} keys it does not hold")

    def check_the_case(size: int) -> None:
        raise LawBroken(f"it does not hold for {size}")

    for check, case in ((check_rows, ""), (check_the_case, "smallest sizes that fail: size 1")):
        with pytest.raises(LawBroken) as caught:
            forall(size=st.integers(1, 50))(check)()
        assert explain(caught.value, LAW, files_in(EXERCISES["ex2"].laws.parent)).case == case


def test_the_cases_follow_from_the_seed_whatever_modules_are_loaded(tmp_path: Path, monkeypatch: Any) -> None:
    tried: list[tuple[int, ...]] = []

    @forall(numbers=st.tuples(*[st.integers(0, 10_000)] * 50))
    def law(numbers: tuple[int, ...]) -> None:
        tried.append(numbers)

    law()
    (tmp_path / "numbers_of_a_course.py").write_text(f"NUMBERS = {list(range(200, 300))}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("numbers_of_a_course")
    law()
    assert tried[: len(tried) // 2] == tried[len(tried) // 2 :]


def test_the_cases_follow_from_the_seed_on_a_machine_for_continuous_integration_too(monkeypatch: Any) -> None:
    def cases(profile: str, seed: int) -> list[tuple[int, int]]:
        hypothesis.settings.load_profile(profile)
        tried, law = counted(lambda size, seed: False)  # noqa: ARG005
        monkeypatch.setattr(hypothesis.core, "global_force_seed", seed)
        law()
        return tried

    usual = hypothesis.settings.get_current_profile_name()
    try:
        assert cases("ci", 1) == cases("default", 1) != cases("ci", 2)
    finally:
        hypothesis.settings.load_profile(usual)


def test_the_search_for_it_is_bounded() -> None:
    tried, law = counted(lambda size, seed: (size * 7919 + seed * 104729) % 5 != 0)
    with pytest.raises(LawBroken):
        law()
    assert len(tried) <= DEFAULT_EXAMPLES + SHRINK_TRIES + 5


def test_a_second_try_of_a_law_starts_anew() -> None:
    tried, law = counted(lambda size, seed: size >= 7)  # noqa: ARG005
    for _ in range(3):
        tried.clear()
        with pytest.raises(LawBroken):
            law()
    assert len(tried) > 1


@pytest.mark.parametrize(
    ("actual", "words"),
    [
        (None, "None (is a `return` missing?)"),
        ((torch.zeros(2, 3),), "a tuple of 1"),
        (torch.zeros(1), "has shape (1,)"),
        (torch.zeros(2, 3, dtype=torch.float64), "it is torch.float64"),
        (torch.tensor([[0.0, torch.nan, 0], [0, 0, 0]]), "holds NaN"),
        (torch.tensor([[0.0, torch.inf, 0], [0, 0, 0]]), "holds infinity"),
        (torch.tensor([[0.0, 1.0, 0], [0, 0, 0]]), "off by up to 1"),
    ],
)
def test_agree_is_strict(actual: object, words: str) -> None:
    with pytest.raises(LawBroken) as caught:
        agree(actual, torch.zeros(2, 3), "the table")
    assert words in caught.value.message
    assert caught.value.message.startswith("the table")


def test_agree_allows_what_rounding_may_do() -> None:
    expected = random_tensor((3, 4), seed=1, dtype=torch.float32)
    assert agree(expected * (1 + 1e-7), expected, "it") is not None


def test_booleans_are_compared_exactly() -> None:
    with pytest.raises(LawBroken, match="wrong in 1 of 4 places"):
        agree(torch.tensor([[True, True], [True, True]]), torch.ones(2, 2).tril().bool(), "the mask")
    with pytest.raises(LawBroken, match=r"dtype torch\.bool"):
        agree(torch.ones(2, 2), torch.ones(2, 2).bool(), "the mask")


def test_meta_tensors_are_checked_without_values() -> None:
    check_tensor(torch.zeros(2, device="meta"), "it", shape=(2,), device="meta")
    with pytest.raises(LawBroken, match="on the device of the inputs"):
        check_tensor(torch.zeros(2), "it", device="meta")


@pytest.mark.parametrize(("gradient", "words"), [(None, "no gradient reaches q"), (torch.zeros(2), "zero everywhere")])
def test_gradients_must_arrive_and_be_of_use(gradient: torch.Tensor | None, words: str) -> None:
    with pytest.raises(LawBroken, match=words):
        check_gradient(gradient, "q", shape=(2,))


def test_drawings_are_aligned_and_cut() -> None:
    drawn = as_text([draw({"a": torch.tensor([[1.0, -10.5], [0.25, 3]]), "b": torch.ones(9, 9)})]).splitlines()
    assert drawn[0].split() == ["a", "b"]
    assert len({line.index("1  1  1") for line in drawn[1:7]}) == 1, "columns of b start at one place"
    assert "…" in drawn[1]
    assert len(drawn) == 8


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (LawBroken("no", [{"q": [["1"]]}]), Outcome("failed", "no", "", [{"q": [["1"]]}])),
        (MissingName("ex2_attention.py", "f"), Outcome("failed", "ex2_attention.py defines no `f`.")),
        (NotImplementedError("ex2: f is not written yet"), Outcome("not_started", "ex2: f is not written yet")),
        (NotImplementedError("no 'aten::ne'"), Outcome("error", "NotImplementedError: no 'aten::ne'")),
        (WorkerLost("timeout", "too long"), Outcome("timeout", "too long")),
    ],
)
def test_what_went_wrong_has_a_status_of_its_own(error: BaseException, outcome: Outcome) -> None:
    assert explain(error, LAW, files_in(EXERCISES["ex2"].laws.parent)) == outcome


def test_several_calls_get_copies_of_their_own_here_too() -> None:
    impl = ImplementationHere()
    impl.write_into = lambda x, y: (x.add_(1).clone(), x is y)  # type: ignore[attr-defined]
    x = torch.zeros(2)
    results = impl.each("write_into", [((x,), {"y": x}), ((x,), {"y": x})])
    assert [(float(total.sum()), same) for total, same in results] == [(2.0, True), (2.0, True)]
    assert not x.any()
