"""A zygote at each level that this machine offers, and a worker of it."""

import sys
from collections.abc import Iterator

import pytest

from tests.grader.isolation.asking import HIDDEN, SERVE

if sys.platform == "linux":
    from grader.judge.workers import IsolationUnavailable, WorkerProcess, Zygote


@pytest.fixture(scope="session", params=["namespaces", "landlock"])
def zygote(request: pytest.FixtureRequest) -> Iterator["Zygote"]:
    try:
        zygote = Zygote(request.param, hidden=[HIDDEN], serve=SERVE)
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    with zygote:
        yield zygote


@pytest.fixture
def worker(zygote: "Zygote") -> Iterator["WorkerProcess"]:
    with zygote.spawn() as worker:
        yield worker
