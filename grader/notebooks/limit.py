"""A limit on the time that a check takes: a loop that never ends fails its law and does not hold the notebook up.

Only notebooks have it. In plain `pytest` a student has Ctrl-C, and the judge counts the CPU time of its workers.
"""

import signal
import threading
from collections.abc import Callable
from types import FrameType

SECONDS = 10.0
"""What a trial of a law may take, by the clock; an honest one takes a few seconds at most."""
AGAIN = 1.0
"""So many seconds later the trial is interrupted once more: what is raised in a `__del__`, for one, is lost."""


class TookTooLong(BaseException):
    """A trial was interrupted at its limit.

    A BaseException, so that neither hypothesis, nor a law, nor a student's `except Exception` takes it for an ordinary
    failure.
    """


class TimeLimit:
    """The limit of one trial.

    It takes a signal: on Windows, and outside the main thread, nothing is limited.
    """

    def __init__(self) -> None:
        self._seconds = SECONDS
        self._is_running = False

    def run(self, trial: Callable[[], None]) -> None:
        """Call `trial`; raises `TookTooLong` in its midst once the time is up."""
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            trial()
            return
        handler = signal.signal(signal.SIGALRM, self._interrupt)
        timer = signal.setitimer(signal.ITIMER_REAL, self._seconds, AGAIN)
        self._is_running = True
        try:
            try:
                trial()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # also where the time was up right before the line above
            self._is_running = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, *timer)

    def allow(self, seconds: float) -> None:
        """From now on the trial may take `seconds`: it is known to be slow."""
        self._seconds = seconds
        if self._is_running:
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)

    def _interrupt(self, signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as handlers are called
        raise TookTooLong(f"it took more than {self._seconds:g} s: is there a loop that never ends?")
