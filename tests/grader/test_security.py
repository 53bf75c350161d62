"""The page of promises: each names a test that exists."""

import re

import pytest

from grader.course import ROOT

PROMISES = re.findall(r"^\| (.*?) \|.*\| `(\S+)::(\w+)` \|$", (ROOT / "grader/SECURITY.md").read_text("utf-8"), re.M)


@pytest.mark.parametrize(("promise", "file", "test"), PROMISES)
def test_each_promise_is_proved_by_a_test_that_exists(promise: str, file: str, test: str) -> None:
    assert f"def {test}(" in (ROOT / "tests" / "grader" / file).read_text("utf-8"), promise


def test_no_promise_is_without_a_test() -> None:
    rows = [line for line in (ROOT / "grader/SECURITY.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    assert len(PROMISES) == len(rows) - 1  # the head of the table
