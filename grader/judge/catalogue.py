"""The laws, collected once per run: what must report, and what is tried on every submission."""

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence

import pytest

from grader.course import EXERCISES, LAWS_DIR, ROOT, SOLUTIONS, Exercise
from grader.exit_status import Unusable
from grader.laws.law import Law

LAWS_FOLDERS = ("grader/laws", "tests/exercises", "solutions")
REPORT_FOLDERS = (*LAWS_FOLDERS, "grader/diagnosis", "tests/bank")
PYTEST_OPTIONS = (
    *("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "--confcutdir", str(LAWS_DIR)),
    *("-p", "_hypothesis_pytestplugin", "--capture=no", "-p", "no:terminal", "-p", "no:cacheprovider"),
    *("-p", "no:unraisableexception", "-p", "no:threadexception", "-p", "no:faulthandler"),
    *("-p", "no:logging"),  # it walks through torch's hundred loggers before and after each law
)


class CollectionFault(Unusable):
    """The laws themselves cannot be collected, or an exercise has none: a fault of the course, not of a student."""


class Catalogue:
    """The collected laws of some exercises, in their files' order, with the pytest items that try them."""

    def __init__(self, session: pytest.Session) -> None:
        self.config = session.config
        self.items = {law: item for item in session.items if (law := Law.of(item)) is not None}

    def of(self, exercise: str) -> list[Law]:
        """The laws of one exercise."""
        return [law for law in self.items if law.exercise.id == exercise]


class _Court:
    """A pytest plugin that hands the collected laws over in place of pytest's own loop."""

    def __init__(self, proceed: Callable[[Catalogue], None]) -> None:
        self.proceed = proceed
        self.was_reached = False
        self.failure: BaseException | None = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.was_reached = True
        try:
            self.proceed(Catalogue(session))
        except BaseException as error:  # pytest would turn it into an exit status
            self.failure = error
        return True


def with_laws(exercises: Sequence[Exercise], seed: int, proceed: Callable[[Catalogue], None]) -> None:
    """Collect the laws of `exercises` and call `proceed` with them, inside pytest's session.

    Raises `CollectionFault` if a law file is broken or an exercise has no laws, and whatever `proceed` raises.
    """
    missing = [exercise.filename for exercise in exercises if not exercise.laws.is_file()]
    if missing:
        raise CollectionFault(f"there are no laws for {', '.join(missing)}")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # plugins that happen to be installed must not matter
    court = _Court(proceed)
    files = [str(exercise.laws) for exercise in exercises]
    pytest.main([*PYTEST_OPTIONS, "--hypothesis-seed", str(seed), *files], plugins=[court])
    if court.failure is not None:
        raise court.failure
    if not court.was_reached:
        raise CollectionFault("the laws cannot be collected; run pytest to see why")


def laws_sha256(folders: Iterable[str] = LAWS_FOLDERS) -> str:
    """A digest of everything on our side that can change a mark: laws, their tools, reference parts. Of
    `REPORT_FOLDERS`: that can change a report."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def reference_sources(exercises: Iterable[str]) -> dict[str, str]:
    """The model solutions of these exercises, by id."""
    return {id: (SOLUTIONS / EXERCISES[id].filename).read_text(encoding="utf-8") for id in exercises}
