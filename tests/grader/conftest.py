"""What several tests of the grader share."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.submissions.arrivals import locate
from grader.submissions.find import Submission, read


def found(folder: Path) -> list[Submission]:
    """Every student's submission in a folder, in the order in which they are graded."""
    arrivals, _ = locate(folder)
    return [read(arrival) for arrival in arrivals]


@pytest.fixture
def put() -> Callable[..., Path]:
    """Write a file, with the folders above it."""

    def put(path: Path, content: str | bytes = "x = 1\n") -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return put


@pytest.fixture
def put_zip() -> Callable[..., Path]:
    """Write a zip with these members."""

    def put_zip(path: Path, members: dict[str, str | bytes]) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
            for name, content in members.items():
                target.writestr(name, content)
        return path

    return put_zip


@pytest.fixture
def only() -> Callable[[Path], Submission]:
    """The one submission in a folder."""

    def only(folder: Path) -> Submission:
        (submission,) = found(folder)
        return submission

    return only
