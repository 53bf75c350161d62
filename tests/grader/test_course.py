"""What must hold of the laws as a whole: points, words, and that none can be passed by doing nothing."""

import subprocess
import sys

import pytest

from grader.course import EXERCISES, ROOT

LISTING = """
import sys
from grader.course import EXERCISES
from grader.judge.catalogue import with_laws
def tell(catalogue):
    for law in catalogue.items:
        words = (law.exercise.id, law.name, law.points, law.title, law.property, law.hint, law.statement)
        print(*words, sep="\\t", file=sys.stderr)
with_laws(list(EXERCISES.values()), 0, tell)
"""


@pytest.fixture(scope="module")
def laws() -> list[list[str]]:
    """Exercise, name, points, title, property, hint and statement of each law."""
    done = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, cwd=ROOT, check=True)
    return [line.split("\t") for line in done.stderr.splitlines()]


def test_points_of_each_exercise_sum_to_twenty_and_all_to_one_hundred(laws: list[list[str]]) -> None:
    points = {id: sum(int(law[2]) for law in laws if law[0] == id) for id in EXERCISES}
    assert points == dict.fromkeys(EXERCISES, 20)


def test_every_law_has_words_and_its_own_name(laws: list[list[str]]) -> None:
    assert all(len(law) == 7 and all(law) for law in laws)
    assert len({(law[0], law[1]) for law in laws}) == len(laws)
    assert len({(law[0], law[3]) for law in laws}) == len(laws), "two laws of one exercise share a title"
