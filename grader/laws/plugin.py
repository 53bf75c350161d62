"""The pytest plugin: chooses the implementation, turns failures into words, and sums up points per exercise.

The judge adds a plugin that makes other implementations (`pytest_make_implementation`), so that a law is tried
and explained in one way wherever it runs.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis.configuration import set_hypothesis_home_dir

from grader.course import EXERCISES_DIR, SOLUTIONS, Exercise, by_module
from grader.laws.classroom import classroom_json
from grader.laws.explain import Outcome, explain, files_in
from grader.laws.interface import Implementation
from grader.laws.law import Law
from grader.laws.local import LocalImplementation, use_folder
from grader.laws.summary import failure_text, points_table
from grader.reports.files import write_whole
from grader.results import LawResult

FOLDER: pytest.StashKey[Path] = pytest.StashKey()
RESULTS: pytest.StashKey[list[tuple[Law, LawResult]]] = pytest.StashKey()

HINT = "\nLook at: "
FOLDERS = {"exercises": EXERCISES_DIR, "solutions": SOLUTIONS}
DESCRIPTIONS = {"exercises": "your own code", "solutions": "the model solutions"}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("course", "the course's laws")
    found = [f"`{name}` ({DESCRIPTIONS[name]})" for name, folder in FOLDERS.items() if folder.is_dir()]
    group.addoption(
        "--implementation",
        metavar="NAME",
        help=f"what the laws are tried on: {', '.join(found)}, or a folder with the five files",
    )
    group.addoption(
        "--classroom", metavar="FILE", type=Path, help="write the points to FILE for GitHub Classroom's reporter"
    )
    parser.addini("implementation", "the default of --implementation", default="exercises")


class Hooks:
    """What another plugin may decide."""

    @pytest.hookspec(firstresult=True)
    def pytest_make_implementation(self, exercise: Exercise, config: pytest.Config) -> Implementation | None:
        """The implementation on which the laws of `exercise` are tried; by default the one in this process."""

    @pytest.hookspec
    def pytest_law_failed(self, item: pytest.Item, law: Law, error: BaseException) -> None:
        """A law did not hold, and `error` says how."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "law(points, property, title, hint): a law of an exercise, with what it is worth and its words"
    )
    if config.getoption("hypothesis_seed", None) is None:
        config.option.hypothesis_seed = "0"
    torch.set_num_threads(1)
    set_hypothesis_home_dir(os.devnull)  # nothing is kept between runs, so no folder is left behind either
    config.stash[RESULTS] = []
    name = _chosen_name(config)
    folder = FOLDERS.get(name) or Path(name).resolve()
    if not folder.is_dir():
        raise pytest.UsageError(f"--implementation {name}: there is no such folder ({folder})")
    config.stash[FOLDER] = folder


def _chosen_name(config: pytest.Config) -> str:
    return config.getoption("implementation") or str(config.getini("implementation"))


@pytest.hookimpl(trylast=True)
def pytest_make_implementation(exercise: Exercise, config: pytest.Config) -> Implementation:
    use_folder(config.stash[FOLDER])
    return LocalImplementation(exercise, config.stash[FOLDER])


def pytest_report_header(config: pytest.Config) -> str:
    name = _chosen_name(config)
    return f"implementation: {name} ({DESCRIPTIONS.get(name, 'a folder')})"


@pytest.fixture(scope="module")
def impl(request: pytest.FixtureRequest) -> Iterator[Implementation]:
    """The implementation under test, for the exercise whose laws stand in the requesting file."""
    exercise = by_module(request.path.stem.removeprefix("test_"))
    made: Implementation = request.config.hook.pytest_make_implementation(exercise=exercise, config=request.config)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _fresh_process_state(request: pytest.FixtureRequest) -> None:
    """Whatever a law's student code leaves behind must not reach the next law."""
    if "impl" in request.fixturenames:
        request.getfixturevalue("impl").renew()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Law.of(item) is not None:  # an incomplete law is a usage error before anything runs
            # hypothesis asks pytest for the traceback of each failure, which takes half a second and no one sees.
            item.repr_failure = _without_traceback  # type: ignore[method-assign]


def _without_traceback(excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:  # noqa: ARG001
    return str(excinfo.value)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport | None:
    """A law's report is made here, not by pytest, whose traceback no one would see and everyone wait for."""
    law = Law.of(item)
    if law is None or call.when == "collect":
        return None
    text, outcome = None, Outcome("passed")
    if call.excinfo is not None:
        outcome = explain(call.excinfo.value, law, files_in(item.config.stash[FOLDER]))
        text = failure_text(law, outcome)
        item.config.hook.pytest_law_failed(item=item, law=law, error=call.excinfo.value)
    if call.when == "call" or call.excinfo is not None:
        item.config.stash[RESULTS].append((law, _result(law, outcome, call.duration)))
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords={},
        outcome="passed" if call.excinfo is None else "failed",
        longrepr=text,
        when=call.when,
        duration=call.duration,
        start=call.start,
        stop=call.stop,
        law_status=outcome.status,
    )


def _result(law: Law, outcome: Outcome, seconds: float) -> LawResult:
    return LawResult(
        name=law.name,
        title=law.title,
        property=law.property,
        status=outcome.status,
        score=law.points if outcome.status == "passed" else 0,
        max_score=law.points,
        message=_message(law, outcome),
        case=outcome.case,
        drawings=tuple(outcome.drawings),
        seconds=seconds,
    )


def _message(law: Law, outcome: Outcome) -> str:
    if outcome.status == "passed":
        return ""
    if outcome.status == "failed":
        return f"{law.statement}\nBut: {outcome.message}{HINT}{law.hint}"
    return outcome.message


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Laws whose code is not written yet are counted apart: nothing is wrong with them."""
    if getattr(report, "law_status", None) == "not_started":
        return "not started", "o", ("NOT STARTED", {"yellow": True})
    return None


def pytest_sessionfinish(session: pytest.Session) -> None:
    file = session.config.getoption("classroom")
    if file is not None:
        laws = ((law.exercise.id, result) for law, result in session.config.stash[RESULTS])
        write_whole(file, classroom_json(laws))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    results = config.stash[RESULTS]
    if not results:
        return
    terminalreporter.section("points")
    for line in points_table(results):
        terminalreporter.write_line(line)
