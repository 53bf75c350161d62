"""The notebook's own namespace as the implementation that laws are tried on."""

from typing import TYPE_CHECKING, Any

from grader.course import Exercise
from grader.laws.errors import MissingName
from grader.laws.local import ImplementationHere
from grader.notebooks.code import needed_code

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


class NotebookImplementation(ImplementationHere):
    """One exercise, as it is defined in a running notebook."""

    def __init__(self, exercise: Exercise, shell: "InteractiveShell") -> None:
        super().__init__()
        self._exercise = exercise
        self._shell = shell

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._shell.user_ns:
            raise MissingName("this notebook", name)
        return self._shell.user_ns[name]

    @property
    def source(self) -> str:
        """The code that the exercise's names consist of, from the cells that were run."""
        history = self._shell.history_manager
        cells = history.input_hist_parsed if history else []
        return needed_code(dict(enumerate(cells)), self._exercise.names).text
