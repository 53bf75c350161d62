"""What a law sees of a submission, whether the student's code runs in this process or in a sandboxed one."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from torch import Tensor, nn

from grader.laws.global_state import DRAWS


@dataclass
class Observation:
    """What the student's code changed between entering and leaving `observe`, filled in when it is left.

    `changed_inputs` are positions among the observed tensors; `changed_globals` are sentences, one for each
    setting (`grader.laws.global_state.differences`).
    """

    changed_inputs: list[int] = field(default_factory=list)
    changed_globals: list[str] = field(default_factory=list)

    @property
    def changed_settings(self) -> list[str]:
        """What changed besides numbers that were drawn from torch's generators, as new weights and dropout must."""
        return [sentence for sentence in self.changed_globals if sentence not in DRAWS]


Calls = Sequence[tuple[tuple[Any, ...], dict[str, Any]]]
"""Positional arguments and options of several calls of one function."""


class StandIn:
    """Stands for an object that lives beside the student's code; `remote_class` is what its class is called there."""

    remote_class: str


class Names(Protocol):
    """A bag of callables of a submission, looked up by attribute."""

    def __getattr__(self, name: str, /) -> Callable[..., Any]: ...


class Implementation(Protocol):
    """One exercise of one submission.

    Any other attribute is a public name of the exercise's module, called as `impl.causal_mask(4)`.
    A name that the module does not define raises `LawBroken`.
    """

    @property
    def device(self) -> str:
        """Where the student's code computes, "cpu" or "cuda". Laws hand over and get CPU tensors always."""

    @property
    def source(self) -> str:
        """The text of the exercise's file."""

    @property
    def library_calls(self) -> set[str]:
        """The torch shortcuts seen running inside `observe` so far, as dotted names."""

    @property
    def earlier(self) -> Names:
        """The public names of the earlier exercises of the same submission."""

    def __getattr__(self, name: str, /) -> Callable[..., Any]: ...

    def each(self, name: str, calls: Calls) -> list[Any]:
        """The results of several calls of one public name, one call after the other, in a single trip to the student's
        code. Each has copies of its tensors, which must not ask for gradients, and gives a copy of its result."""

    def probe(self, name: str, *args: Any, **kwargs: Any) -> nn.Module:
        """A known little module of `grader.laws.probes`, built beside the student's code."""

    def optimizer(self, model: nn.Module, name: str, **kwargs: Any) -> Any:
        """`torch.optim.<name>` over the model's parameters, only to be passed on as an argument."""

    def generator(self, seed: int) -> Any:
        """A seeded `torch.Generator` on the CPU, only to be passed on as an argument."""

    def observe(self, *tensors: Tensor) -> AbstractContextManager[Observation]:
        """Watch what calls inside write into and change globally, and which torch shortcuts they use."""

    def allow(self, *, cpu_seconds: float) -> AbstractContextManager[None]:
        """Give each call inside the block this much CPU time instead of the usual. No effect locally."""

    def seed(self, value: int) -> None:
        """Seed the global generators (torch, random, numpy) where the student's code runs."""

    def renew(self) -> None:
        """Called before every case of a law: settings and generators are as at first, a lost worker is replaced."""

    def close(self) -> None:
        """Called after an exercise's last law: end what runs beside the judge. No effect locally."""
