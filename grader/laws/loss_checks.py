"""What several laws of `label_smoothing_loss` check in the same way, and laws of what is computed with it."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from grader.course import PAD
from grader.laws.compare import agree, broken, check_tensor, require
from grader.laws.errors import LawBroken
from grader.laws.interface import Implementation
from grader.laws.oracles_training import cross_entropy
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


@contextmanager
def once_the_loss_is_right(
    impl: Implementation, who: str, logits: Tensor, target: Tensor, pad_id: int = PAD, smoothing: float = 0.0
) -> Iterator[None]:
    """If what is checked inside fails and so does the student's own loss on this batch, then say that first."""
    try:
        yield
    except LawBroken:
        fault = fault_of_loss(impl, logits, target, pad_id, smoothing)
        if fault:
            broken(
                f"{who} {fault}. Mend label_smoothing_loss first, with the help of its own laws; this one comes after."
            )
        raise
