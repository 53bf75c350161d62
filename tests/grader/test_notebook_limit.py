"""The limit on a check's time, tried on its own."""

import signal
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from grader.course import EXERCISES
from grader.notebooks import limit
from grader.notebooks.implementation import NotebookImplementation
from grader.notebooks.limit import TimeLimit, TookTooLong

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such signal")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of a second, and as much until the next try."""
    monkeypatch.setattr(limit, "SECONDS", 0.1)
    monkeypatch.setattr(limit, "AGAIN", 0.1)


def never_ends() -> None:
    while True:
        time.sleep(0.01)


def raises() -> None:
    raise ValueError


def ends() -> None:
    """In time."""


@pytest.mark.parametrize(("trial", "error"), [(never_ends, TookTooLong), (raises, ValueError), (ends, None)])
def test_however_a_trial_ends_handler_and_timer_are_as_before(
    trial: Callable[[], None], error: type[BaseException] | None
) -> None:
    def handler(*_: Any) -> None:
        """Someone else's."""

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 1000, 7)
    seen: type[BaseException] | None = None
    try:
        TimeLimit().run(trial)
    except (ValueError, TookTooLong) as raised:
        seen = type(raised)
    finally:
        after = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen is error
    assert after == (handler, (pytest.approx(1000, abs=10), 7))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_python_drops_is_raised_again() -> None:
    class Slow:
        def __del__(self) -> None:
            time.sleep(0.15)

    def trial() -> None:
        Slow()
        never_ends()

    with pytest.raises(TookTooLong):
        TimeLimit().run(trial)


def test_outside_the_main_thread_nothing_is_limited() -> None:
    ended = threading.Event()

    def trial() -> None:
        time.sleep(0.3)
        ended.set()

    thread = threading.Thread(target=TimeLimit().run, args=(trial,))
    thread.start()
    thread.join()
    assert ended.is_set()


def test_a_law_that_is_known_to_be_slow_may_take_longer() -> None:
    shell: Any = SimpleNamespace(user_ns={})
    impl = NotebookImplementation(EXERCISES["ex5"], shell)

    def trial() -> None:
        with impl.allow(cpu_seconds=0.2):
            time.sleep(0.3)
            never_ends()

    began = time.monotonic()
    with pytest.raises(TookTooLong, match=r"more than 0\.4 s"):
        impl.limit.run(trial)
    assert time.monotonic() - began >= 0.4
