"""What several laws of `label_smoothing_loss` check in the same way, and laws of what is computed with it."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from grader.course import PAD
from grader.laws.compare import agree, called, check_tensor, in_its_own_sizes, require
from grader.laws.errors import LawBroken
from grader.laws.interface import Implementation
from grader.laws.oracles_training import cross_entropy
from grader.laws.pairwise import pairwise
from grader.laws.side_effects import leaves_alone
from grader.laws.training_cases import LossCase

ROUNDING = 2e-6
"""What rounding leaves on probes and losses of size 1, even if the loss was computed in float32 on the
way."""

PADDING_ASIDE = "The loss is off without any padding, too: for these logits and targets without padding it"


def loss_of(impl: Implementation, case: LossCase, logits: Tensor, target: Tensor) -> Any:
    """The student's loss."""
    return impl.label_smoothing_loss(logits, target, pad_id=case.pad_id, smoothing=case.smoothing)


def scalar(loss: Any, what: str) -> Tensor:
    """A loss, whatever its precision (one law is about that), as float64."""
    return check_tensor(loss, what, shape=()).to(torch.float64)


def loss_agrees(
    impl: Implementation, case: LossCase, target: Tensor, because: str = "", *, by_default: bool = False
) -> None:
    """The student's loss and its gradient are those of `F.cross_entropy`; `by_default` without its options."""
    mine, yours = (case.logits().requires_grad_() for _ in range(2))
    expected = cross_entropy(mine, target, case.pad_id, case.smoothing)
    given = {"logits": mine, "target": target}
    options = {} if by_default else {"pad_id": case.pad_id, "smoothing": case.smoothing}
    actual = scalar(impl.label_smoothing_loss(yours, target.clone(), **options), "the loss")
    agree(actual, expected, "the loss", atol=ROUNDING, given=given, because=because)
    require(actual.requires_grad, "no gradient reaches the logits: the graph was cut on the way.")
    (wanted,) = torch.autograd.grad(expected, mine)
    (gradient,) = torch.autograd.grad(actual, yours)
    agree(gradient, wanted, "the gradient of the logits", atol=ROUNDING, given=given, because=because)


def fault_of_loss(impl: Implementation, logits: Tensor, target: Tensor, pad_id: int, smoothing: float) -> str:
    """What the student's loss gives here instead of the right value; nothing if it is right."""
    logits = logits.detach()
    expected = float(cross_entropy(logits, target, pad_id, smoothing))
    actual = impl.label_smoothing_loss(logits, target, pad_id=pad_id, smoothing=smoothing)
    value = float(actual) if isinstance(actual, Tensor) and actual.numel() == 1 else math.nan
    if math.isclose(value, expected, rel_tol=ROUNDING, abs_tol=ROUNDING):
        return ""
    return f"gives {value:.6g} and not {expected:.6g} (pad_id {pad_id}, smoothing {smoothing:g})"


CLOSE = 5e-5
"""What rounding in float32 leaves of losses of size 3 and of their gradients, with room for awkward formulas."""

_CIRCUMSTANCES = {
    "dtype": (torch.float64, torch.float32),
    "batch": (3, 1),
    "time": (4, 1),
    "pad_id": (0, 3, 5),
    "layout": ("contiguous", "transposed"),
    "gradients": ("with gradients", "of logits without gradients", "under torch.no_grad()"),
}
"""Of a batch of logits over 6 classes."""

SMOOTHINGS = (0.03, 0.2, 0.9, 1.0)


@dataclass(frozen=True)
class LossHere:
    """A loss in one row of a table of circumstances."""

    case: LossCase
    padded: bool
    dtype: torch.dtype
    gradients: str

    def plain(self) -> "LossHere":
        """The same without smoothing, or without padding and any other id for it than 0."""
        if self.padded:
            return replace(self, case=replace(self.case, pad_id=PAD), padded=False)
        return replace(self, case=replace(self.case, smoothing=0.0))

    def inputs(self) -> tuple[Tensor, Tensor]:
        """Logits (B, T, V), which ask for gradients if the row does, and the target (B, T)."""
        logits = self.case.logits(self.dtype)
        return logits.requires_grad_(self.gradients == "with gradients"), self.case.target(padded=self.padded)

    @in_its_own_sizes
    def check(self, impl: Implementation) -> None:
        """The student's loss and its gradient are the right ones."""
        logits, target = self.inputs()
        exact = logits.detach().double().requires_grad_()
        expected = cross_entropy(exact, target, self.case.pad_id, self.case.smoothing)
        with torch.set_grad_enabled(self.gradients != "under torch.no_grad()"), called(f"with {self}"):
            loss = scalar(loss_of(impl, self.case, logits, target), f"the loss ({self})")
        given = {"logits": logits, "target": target}
        agree(loss, expected, f"the loss ({self})", atol=CLOSE, given=given)
        if logits.requires_grad:
            require(loss.requires_grad, f"no gradient reaches the logits ({self}): the graph was cut on the way.")
            (gradient,), (wanted,) = (torch.autograd.grad(*pair) for pair in ((loss, logits), (expected, exact)))
            agree(gradient, wanted.to(self.dtype), f"the gradient of the logits ({self})", atol=CLOSE, given=given)

    def __str__(self) -> str:
        padding = f"{'with' if self.padded else 'no'} padding"
        return f"{self.case}, {padding}, {self.dtype}, {self.gradients}"


def losses_here(seed: int, **factors: Sequence[Any]) -> Iterator[LossHere]:
    """Losses in which every circumstance stands beside every other one; `smoothing` and `padded` are to be given."""
    for row in pairwise({**_CIRCUMSTANCES, **factors}, seed):
        rest = {name: row.pop(name) for name in ("padded", "dtype", "gradients")}
        yield LossHere(LossCase(vocab=6, seed=seed, **row), **rest)


def check_padding_only(impl: Implementation, case: LossCase) -> None:
    """A batch of nothing but padding has loss 0, of the logits' dtype, with a gradient of zeros.

    Whether the loss of other targets has that dtype and that gradient, another law says.
    """
    target = torch.full((case.batch, case.time), case.pad_id)
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        logits = case.logits(dtype).requires_grad_()
        what = f"the loss of padding only (pad_id {case.pad_id}, smoothing {case.smoothing}, {dtype})"
        usual = check_tensor(loss_of(impl, case, logits, case.target()), "the loss without padding", shape=())
        loss = check_tensor(loss_of(impl, case, logits, target), what, shape=(), finite=False)
        require(loss.dtype == usual.dtype, f"{what} is of dtype {loss.dtype}, and {usual.dtype} without padding.")
        if dtype.itemsize < 4:
            continue  # whether padding counts in half precision, another law says
        agree(loss, torch.zeros_like(loss), what, given={"target": target})
        if loss.requires_grad:  # a constant 0 is a loss of 0, too
            (gradient,) = torch.autograd.grad(loss, logits, allow_unused=True, materialize_grads=True)
            agree(gradient, torch.zeros_like(logits), f"the gradient of {what}", given={"target": target})


@in_its_own_sizes
def check_every_side_effect(impl: Implementation, seed: int) -> None:
    """The loss leaves logits, target and the global settings as they are, whatever the circumstances."""
    for here in losses_here(seed, smoothing=(0.0, *SMOOTHINGS), padded=(False, True)):
        given = dict(zip(("logits", "target"), here.inputs(), strict=True))
        with (
            torch.set_grad_enabled(here.gradients != "under torch.no_grad()"),
            leaves_alone(impl, "the loss", given, str(here)),
        ):
            loss_of(impl, here.case, *given.values())


@contextmanager
def once_the_loss_is_right(
    impl: Implementation, who: str, logits: Tensor, target: Tensor, pad_id: int = PAD, smoothing: float = 0.0
) -> Iterator[None]:
    """If what is checked inside fails and so does the student's own loss on this batch, then say that first."""
    try:
        yield
    except LawBroken:
        _check_own_loss(impl, who, logits, target, pad_id, smoothing)
        raise


@in_its_own_sizes
def _check_own_loss(
    impl: Implementation, who: str, logits: Tensor, target: Tensor, pad_id: int, smoothing: float
) -> None:
    fault = fault_of_loss(impl, logits, target, pad_id, smoothing)
    first = "Mend label_smoothing_loss first, with the help of its own laws; this one comes after."
    require(not fault, f"{who} {fault}. {first}")
