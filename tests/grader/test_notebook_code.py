"""An answer is cut out of a notebook: what the exercise's names need, and nothing else."""

import time

import pytest

from grader.notebooks.code import needed_code

NAMES = ["answer"]


def kept(*cells: str) -> str:
    return needed_code(dict(enumerate(cells, start=1)), NAMES).text


def value_of(*cells: str) -> object:
    scope: dict[str, object] = {}
    exec(compile(kept(*cells), "answer", "exec"), scope)
    answer = scope["answer"]
    return answer() if callable(answer) else answer


def test_exploring_drawing_and_checking_is_left_out() -> None:
    text = kept(
        "import math\nimport matplotlib.pyplot as plt",
        "def answer():\n    return math.pi",
        "plt.plot(answer())\n1 / 0\ncheck('ex2', 'a_law')",
        "value = answer()",
    )
    assert text == "# cell 1\nimport math\n\n\n# cell 2\ndef answer():\n    return math.pi\n" or "plt" not in text
    for absent in ("1 / 0", "check(", "value", "plot("):
        assert absent not in text


def test_what_a_needed_function_needs_is_needed() -> None:
    assert value_of("STEP = 2", "def helper(x):\n    return x + STEP", "def answer():\n    return helper(1)") == 3


def test_local_names_are_not_global_ones() -> None:
    """A demonstration that binds `weights` is not needed by a function with a local variable of that name."""
    text = kept("def answer():\n    weights = 1\n    return weights", "weights = explode()")
    assert "explode" not in text


def test_a_changed_attribute_is_part_of_the_answer() -> None:
    cells = ("class answer:\n    def value(self):\n        return 1", "def better(self):\n    return 2")
    assert "answer.value = better" in kept(*cells, "answer.value = better")


def test_the_last_definition_counts() -> None:
    old, new = "def answer():\n    return forbidden()", "def answer():\n    return 2"
    assert "forbidden" not in kept(old, new)
    assert value_of(old, new) == 2


def test_a_definition_that_was_used_in_time_stays() -> None:
    cells = ("def make():\n    return 1", "VALUE = make()", "def make():\n    return 2")
    assert value_of(*cells, "def answer():\n    return VALUE, make()") == (1, 2)
    wrapped = ("def answer():\n    return 1", "old = answer", "def answer():\n    return old() + 1")
    assert value_of(*wrapped) == 2


def test_a_cell_that_is_no_python_is_named_and_costs_the_others_nothing() -> None:
    answer = needed_code({1: "answer = 1", 4: "def oops(:\n"}, NAMES)
    assert "answer = 1" in answer.text
    assert list(answer.unreadable) == [4]


def test_a_future_import_comes_first() -> None:
    text = kept("answer = 1", "from __future__ import annotations")
    assert text.index("__future__") < text.index("answer")
    compile(text, "answer", "exec")


@pytest.mark.parametrize("line", ["from math import *", "if True:\n    answer = 2", "answer += 1", "a, answer = 1, 2"])
def test_every_way_to_bind_a_name_counts(line: str) -> None:
    assert line in kept("answer = 0", line)


def test_long_chains_take_linear_time() -> None:
    links = "\n".join(f"a{i} = a{i - 1}" for i in range(1, 5000))
    assert value_of("a0 = 7\n" + links, "answer = a4999") == 7


def test_an_import_of_a_name_without_end_is_not_parsed() -> None:
    """Python's own parser takes 8 GB for it."""
    began = time.process_time()
    assert list(needed_code({1: "import a" + ".a" * 90_000, 2: "answer = 1"}, NAMES).unreadable) == [1]
    assert time.process_time() - began < 1


MANY = [f"n{i}" for i in range(14_000)]
HOSTILE = {
    "one statement of many names": "answer=" + "=".join(MANY) + "=[" + ",".join(MANY) + "]",
    "many statements on a line": "answer=1;" + "a;" * 90_000,
    "many functions": "".join(f"def {name}():0\n" for name in MANY[:7000]) + "answer=[" + ",".join(MANY[:7000]) + "]",
}


@pytest.mark.parametrize("cell", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_cell_is_read_in_seconds(cell: str) -> None:
    """The first one took 28 s."""
    assert len(cell) < 200_000
    began = time.process_time()
    assert cell in kept(cell)
    assert time.process_time() - began < 10
