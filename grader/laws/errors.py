"""What can go wrong while a law is tried, as exceptions that the plugin turns into a status and a message."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from grader.laws.drawing import Drawing


class LawBroken(AssertionError):
    """The submission breaks the law. `message` is for the student; `drawings` show the tensors it is about, if any.

    `actual` is what came and `expected` what should have come, if tensors were compared.
    """

    def __init__(
        self,
        message: str,
        drawings: Sequence[Drawing] = (),
        *,
        actual: Tensor | None = None,
        expected: Tensor | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.drawings = drawings
        self.actual = actual
        self.expected = expected

    def __str__(self) -> str:
        return self.message


class MissingName(LawBroken, AttributeError):
    """The submission's file does not define a name that the exercise asks for."""

    def __init__(self, filename: str, name: str) -> None:
        super().__init__(f"{filename} defines no `{name}`.")


@dataclass(frozen=True)
class Frame:
    """One line of a traceback, inside the submission's own files."""

    file: str
    line: int
    function: str
    text: str


class StudentError(Exception):
    """The student's code raised, in another process. Also derives from the builtin type that was raised."""

    kind: str = "Exception"
    message: str = ""
    frames: tuple[Frame, ...] = ()

    def __str__(self) -> str:
        return self.message


class WorkerLost(BaseException):
    """The process beside the student's code ended or had to be stopped.

    A BaseException, so that neither hypothesis nor a law's own `pytest.raises` takes it for an ordinary failure.
    """

    def __init__(self, status: Literal["error", "timeout", "out_of_memory"], message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
