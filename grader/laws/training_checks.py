"""What several laws of exercise 5 check in the same way, and how they set up what the student's code works
on."""

import math
from typing import Any

import torch
from torch import Tensor, nn

from grader.course import FIRST_CONTENT_ID
from grader.laws.compare import agree, broken, check_tensor, kind_of, require
from grader.laws.interface import Implementation
from grader.laws.oracles_training import Batch, cross_entropy, set_parameters, twin
from grader.laws.tensors import random_tensor
from grader.laws.training_cases import BatchCase, LossCase, RunCase

EXACT = 1e-9
"""What float64 leaves of rounding after a step or two on a probe."""

KINDS_OF_GRADIENT = {
    "one NaN": "nan",
    "NaN everywhere": "nan",
    "one infinity": "nan",
    "one minus infinity": "nan",
    "all zero": "zero",
    "entries that cancel": "ok",
    "one entry that is not zero": "ok",
    "large entries": "ok",
}
"""Gradients that `gradient_like` makes, and what `gradient_report` should call them."""


def number(value: Any, what: str) -> float:
    """`value` is a plain number, as a loss to print or a learning rate to set must be."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        broken(f"{what} should be a plain number, but it is {kind_of(value)}.")
    require(math.isfinite(value), f"{what} should be finite, but it is {value}.")
    return float(value)


def content(src: Any, what: str, *, batch: int, length: int, vocab_size: int) -> Tensor:
    """`src` has the right shape and holds content ids only."""
    check_tensor(src, what, shape=(batch, length), dtype=torch.int64)
    in_range = (src >= FIRST_CONTENT_ID) & (src < vocab_size)
    ids = f"{FIRST_CONTENT_ID} to vocab_size - 1 = {vocab_size - 1}"
    require(bool(in_range.all()), f"{what} should hold ids from {ids} only.", **{what: src})
    return src


def drawn_batch(impl: Implementation, case: BatchCase, source: Any) -> Batch:
    """A batch from the student's `copy_batch`: three int64 tensors of the right shapes, content ids in
    range."""
    batch, length, vocab_size = case.sizes
    result = impl.copy_batch(batch=batch, length=length, vocab_size=vocab_size, generator=source)
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        broken(f"copy_batch should return (src, tgt_in, tgt_out), but it returned {kind_of(result)}.")
    src, tgt_in, tgt_out = result
    content(src, "src", batch=batch, length=length, vocab_size=vocab_size)
    check_tensor(tgt_in, "tgt_in", shape=(batch, length + 1), dtype=torch.int64)
    check_tensor(tgt_out, "tgt_out", shape=(batch, length + 1), dtype=torch.int64)
    return src, tgt_in, tgt_out


def loss_of(impl: Implementation, case: LossCase, logits: Tensor, target: Tensor) -> Any:
    """The student's loss."""
    return impl.label_smoothing_loss(logits, target, pad_id=case.pad_id, smoothing=case.smoothing)


def loss_agrees(impl: Implementation, case: LossCase, target: Tensor, because: str = "") -> None:
    """The student's loss and its gradient are those of `F.cross_entropy`."""
    mine, yours = (case.logits().requires_grad_() for _ in range(2))
    expected = cross_entropy(mine, target, case.pad_id, case.smoothing)
    given = {"logits": mine, "target": target}
    actual = agree(loss_of(impl, case, yours, target), expected, "the loss", given=given, because=because)
    require(actual.requires_grad, "no gradient reaches the logits: the graph was cut on the way.")
    (wanted,) = torch.autograd.grad(expected, mine)
    (gradient,) = torch.autograd.grad(actual, yours)
    agree(gradient, wanted, "the gradient of the logits", given=given, because=because)


def subject(impl: Implementation, vocab: int, d_model: int, seed: int) -> tuple[Any, nn.Module]:
    """A `RecordingSeq2Seq` to train beside the student's code, and the judge's twin of it."""
    model = impl.probe("RecordingSeq2Seq", vocab, d_model).to(torch.float64)
    set_parameters(model, seed)
    return model, twin(model, "RecordingSeq2Seq", vocab, d_model)


def same_parameters(model: nn.Module, own: nn.Module, because: str, *, atol: float = EXACT) -> None:
    """Each parameter of the trained model is what it is in the judge's twin."""
    expected = dict(own.named_parameters())
    for name, parameter in model.named_parameters():
        agree(parameter.detach(), expected[name].detach(), name, atol=atol, because=because)


def report_of(impl: Implementation, model: nn.Module) -> dict[str, str]:
    """The student's gradient report, which names every parameter and nothing else."""
    report = impl.gradient_report(model)
    if not isinstance(report, dict):
        broken(f"gradient_report should return a dict, but it returned {kind_of(report)}.")
    names = {name for name, _ in model.named_parameters()}
    require(names <= set(report), f"the report leaves out {sorted(names - set(report))}.")
    require(
        set(report) <= names, f"the report has {sorted(set(report) - names)}, but no parameter is called so."
    )
    return report


def says(report: dict[str, str], name: str, expected: str, gradient: Tensor | None) -> None:
    """The report has the right word for one parameter."""
    shown = {} if gradient is None else {f"gradient of {name}": gradient.reshape(1, -1)}
    words = f'the gradient of {name} should be called "{expected}", but the report says {report[name]!r}.'
    require(report[name] == expected, words, **shown)


def gradient_like(parameter: Tensor, kind: str, seed: int) -> Tensor:
    """A gradient of one of `KINDS_OF_GRADIENT`, for a parameter of two entries or more."""
    gradient = random_tensor(parameter.shape, seed, dtype=torch.float32)
    flat, place = gradient.view(-1), seed % parameter.numel()
    if kind in ("all zero", "one entry that is not zero", "entries that cancel"):
        flat.zero_()
    if kind == "entries that cancel":
        flat[place], flat[place - 1] = 0.5, -0.5
    elif kind == "large entries":
        flat.fill_(1e37)
    elif kind == "NaN everywhere":
        flat.fill_(math.nan)
    elif kind != "all zero":
        single = {"one NaN": math.nan, "one infinity": math.inf, "one minus infinity": -math.inf}
        flat[place] = single.get(kind, -0.125)
    return gradient


def train(impl: Implementation, case: RunCase, model: Any) -> list[float]:
    """The losses of a run on a `RecordingSeq2Seq`, one for each step, in each of which it was called once."""
    result = impl.train_copy_task(model, **case.arguments)
    if not isinstance(result, (list, tuple)) or len(result) != case.steps:
        words = f"train_copy_task should return a list of {case.steps} losses, but it returned"
        broken(f"{words} {kind_of(result)}.")
    losses = [number(loss, f"loss {step} of the run") for step, loss in enumerate(result, start=1)]
    calls = model.calls()
    require(
        calls == case.steps, f"in {case.steps} steps the model was called {calls} times with gradients on."
    )
    return losses
