"""The notebook's own namespace as the implementation that laws are tried on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from grader.course import Exercise
from grader.laws.errors import MissingName
from grader.laws.local import ImplementationHere
from grader.notebooks.code import needed_code
from grader.notebooks.earlier import load_text
from grader.notebooks.limit import TimeLimit

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


class NotebookImplementation(ImplementationHere):
    """One exercise, as it is defined in a running notebook, for one trial of a law.

    With `anew` its code is run again, apart from the notebook: what it imports is then what `exercises.…` names now.
    """

    def __init__(self, exercise: Exercise, shell: "InteractiveShell", *, anew: bool = False) -> None:
        super().__init__()
        self.limit = TimeLimit()
        self._exercise = exercise
        self._shell = shell
        self._names: dict[str, Any] = vars(load_text(exercise, self.source)) if anew else shell.user_ns

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._names:
            raise MissingName("this notebook", name)
        return self._names[name]

    @property
    def source(self) -> str:
        """The code that the exercise's names consist of, from the cells that were run."""
        history = self._shell.history_manager
        cells = history.input_hist_parsed if history else []
        return needed_code(dict(enumerate(cells)), self._exercise.names).text

    @contextmanager
    def allow(self, *, cpu_seconds: float) -> Iterator[None]:
        """Slow calls are expected inside: the clock, which also runs while others compute, gives twice their time."""
        self.limit.allow(2 * cpu_seconds)
        yield
