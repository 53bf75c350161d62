"""The bank is well-formed, and an audit finds what is wrong with a course."""

import ast
from pathlib import Path

import pytest

from grader.audit import faults, matrix
from grader.audit.trials import Answer, Trial, Trials
from grader.bank import BANK, Entry, Kind, entries, read, together
from grader.course import EXERCISES, SOLUTIONS
from grader.exit_status import Unusable
from grader.laws.law import Law
from grader.results import LawStatus

EX2 = EXERCISES["ex2"]
ALL = [entry for kind in ("wrong", "right") for exercise in EXERCISES.values() for entry in entries(kind, exercise)]
LAWS = [Law(EX2, name, 10, "family", "A law", "there", "Something holds.") for name in ("first", "second")]


def entry(kind: Kind = "wrong") -> Entry:
    return Entry("e2_some", kind, EX2, "A mistake.", ("first",) if kind == "wrong" else (), (), "")


def trial(kind: str, **statuses: LawStatus) -> Trial:
    of_bank = {"wrong": entry(), "right": entry("right")}.get(kind)
    return Trial(Answer("e2_some", kind, EX2, "", of_bank), 0, statuses)  # type: ignore[arg-type]


def found(*trials: Trial) -> list[str]:
    fails_all = Entry("other", "wrong", EX2, "Another mistake.", ("first", "second"), (), "")
    other = Trial(Answer("other", "wrong", EX2, "", fails_all), 0, {"first": "failed", "second": "failed"})
    return faults.of_trials([other, *trials], LAWS)


def laws_of(exercise: str) -> set[str]:
    tree = ast.parse(EXERCISES[exercise].laws.read_text(encoding="utf-8"))
    return {node.name.removeprefix("test_") for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_bank_has_wrong_and_right_answers_to_every_exercise() -> None:
    assert len(ALL) == len(list(BANK.glob("*/*.py")))
    for exercise in EXERCISES.values():
        assert len(entries("wrong", exercise)) >= 50
        assert len(entries("right", exercise)) >= 10


@pytest.mark.parametrize("exercise", EXERCISES)
def test_entries_name_laws_that_exist_and_every_law_is_named(exercise: str) -> None:
    laws = laws_of(exercise)
    wrong = entries("wrong", EXERCISES[exercise])
    assert {name for each in wrong for name in (*each.laws, *each.also)} <= laws
    assert all(not set(each.laws) & set(each.also) for each in wrong)


def test_titles_are_one_sentence_and_each_stands_once() -> None:
    titles = [each.title for each in ALL if each.kind == "wrong"]
    assert [title for title in titles if not title.endswith(".") or len(title) > 220] == []
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


def test_no_entry_is_a_copy_of_a_solution() -> None:
    for each in ALL:
        solution = (SOLUTIONS / each.exercise.filename).read_text(encoding="utf-8")
        assert len(each.definitions) < 0.75 * len(solution), each.id


def test_an_entry_takes_the_place_of_the_solution_s_part() -> None:
    strict = read(BANK / "wrong" / "e2_causal_excludes_self.py")
    module: dict[str, object] = {}
    exec(together(strict), module)
    assert not module["causal_mask"](2)[0, 0]  # type: ignore[operator]
    assert "padding_mask" in module
    assert "LAWS" not in module


@pytest.mark.parametrize("text", ["LAWS = ('a',)\n", '"""A mistake."""\n'])
def test_an_entry_without_words_or_laws_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong" / "e2_half_done.py"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unusable, match="e2_half_done"):
        read(path)


def test_answers_that_fare_as_they_must_are_no_faults() -> None:
    assert (
        found(
            trial("skeleton", first="not_started", second="not_started"),
            trial("solution", first="passed", second="passed"),
            trial("right", first="passed", second="passed"),
            trial("wrong", first="failed", second="passed"),
        )
        == []
    )


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (trial("skeleton", first="passed", second="not_started"), "first is passed, not not_started"),
        (trial("skeleton", first="error", second="not_started"), "first is error"),
        (trial("solution", first="passed", second="timeout"), "fails second (timeout)"),
        (trial("right", first="failed", second="passed"), "fails first (failed)"),
        (trial("wrong", first="passed", second="passed"), "keeps the points of the laws that it names: first"),
        (trial("wrong", first="failed", second="error"), "fails laws that it does not list: second"),
    ],
)
def test_each_kind_of_fault_is_told(wrong: Trial, words: str) -> None:
    told = found(wrong)
    assert len(told) == 1
    assert words in told[0]


def test_a_law_that_refuses_nothing_is_a_fault() -> None:
    told = faults.of_trials([trial("wrong", first="failed", second="passed")], LAWS)
    assert told == ["ex2: no wrong answer fails the law second."]


def test_points_must_add_up() -> None:
    assert "ex2: the points of its laws add up to 10, not 20." in faults.of_laws(LAWS[:1])


def test_a_line_of_the_solution_in_what_is_handed_out_is_a_leak(tmp_path: Path) -> None:
    assert faults.of_leaks() == []
    (tmp_path / "ex2.py").write_text("def f():\n        weights = scores.softmax(dim=-1)\n", encoding="utf-8")
    assert faults.of_leaks(tmp_path) == ["ex2.py holds a line of the solution of ex2: weights = scores.softmax(dim=-1)"]


def test_finished_trials_are_found_again_and_half_a_line_is_not(tmp_path: Path) -> None:
    kept = tmp_path / "trials.jsonl"
    kept.write_text('{"key": "a", "statuses": {"first": "passed"}}\n{"key": "b", "statu', encoding="utf-8")
    assert list(Trials(kept, jobs=1)._known) == ["a"]
    assert kept.read_text(encoding="utf-8").count("\n") == 1
    assert kept.read_text(encoding="utf-8").endswith("}}\n")


def test_the_page_tells_marks_apart() -> None:
    trials = [trial("wrong", first="failed", second="failed"), trial("right", first="passed", second="passed")]
    page = matrix.as_html(trials, LAWS, ["<b>a fault</b>"])
    assert 'class="named"' in page
    assert 'class="strange"' in page
    assert "&lt;b&gt;a fault" in page
