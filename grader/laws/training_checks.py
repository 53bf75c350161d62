"""What several laws of exercise 5 check in the same way, and how they set up what the student's code works
on."""

import math
from typing import Any

import torch
from torch import Tensor, nn

from grader.course import EOS, FIRST_CONTENT_ID, PAD, SOS
from grader.laws.compare import agree, broken, check_tensor, kind_of, require
from grader.laws.interface import Implementation
from grader.laws.judge_transformer import JudgeTransformer
from grader.laws.oracles_training import (
    Batch,
    ReplayedStep,
    cooled_noam,
    cross_entropy,
    framed,
    noam,
    set_parameters,
    set_xavier,
    twin,
)
from grader.laws.tensors import random_ids, random_tensor
from grader.laws.training_cases import BatchCase, LossCase, RunCase

ROUNDING = 2e-6
"""What rounding leaves on probes and losses of size 1, even if the loss was computed in float32 on the
way."""

COPY_TASK = {"length": 6, "vocab_size": 12}
HEADS, FRESH = 4, 256

KINDS_OF_GRADIENT = {
    "one NaN": "nan",
    "NaN everywhere": "nan",
    "one infinity": "nan",
    "one minus infinity": "nan",
    "all zero": "zero",
    "entries that cancel": "ok",
    "one entry that is not zero": "ok",
    "one tiny entry": "ok",
    "large entries": "ok",
}
"""Gradients that `gradient_like` makes, and what `gradient_report` should call them."""


def number(value: Any, what: str) -> float:
    """`value` is a plain number, as a loss to print or a learning rate to set must be."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        broken(f"{what} should be a plain number, but it is {kind_of(value)}.")
    require(math.isfinite(value), f"{what} should be finite, but it is {value}.")
    return float(value)


def drawn_batch(impl: Implementation, case: BatchCase, source: Any) -> tuple[Tensor, Any, Any]:
    """A batch from the student's `copy_batch`, of which only `src` is looked at here: int64, (B, L)."""
    batch, length, vocab_size = case.sizes
    result = impl.copy_batch(batch=batch, length=length, vocab_size=vocab_size, generator=source)
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        broken(f"copy_batch should return (src, tgt_in, tgt_out), but it returned {kind_of(result)}.")
    src, tgt_in, tgt_out = result
    check_tensor(src, "src", shape=(batch, length), dtype=torch.int64)
    return src, tgt_in, tgt_out


def loss_of(impl: Implementation, case: LossCase, logits: Tensor, target: Tensor) -> Any:
    """The student's loss."""
    return impl.label_smoothing_loss(logits, target, pad_id=case.pad_id, smoothing=case.smoothing)


def scalar(loss: Any, what: str) -> Tensor:
    """A loss, whatever its precision (one law is about that), as float64."""
    return check_tensor(loss, what, shape=()).to(torch.float64)


def loss_agrees(impl: Implementation, case: LossCase, target: Tensor, because: str = "") -> None:
    """The student's loss and its gradient are those of `F.cross_entropy`."""
    mine, yours = (case.logits().requires_grad_() for _ in range(2))
    expected = cross_entropy(mine, target, case.pad_id, case.smoothing)
    given = {"logits": mine, "target": target}
    actual = scalar(loss_of(impl, case, yours, target), "the loss")
    agree(actual, expected, "the loss", atol=ROUNDING, given=given, because=because)
    require(actual.requires_grad, "no gradient reaches the logits: the graph was cut on the way.")
    (wanted,) = torch.autograd.grad(expected, mine)
    (gradient,) = torch.autograd.grad(actual, yours)
    agree(gradient, wanted, "the gradient of the logits", atol=ROUNDING, given=given, because=because)


def smooths(impl: Implementation, case: LossCase) -> bool:
    """Whether the student's smoothed loss is right as long as there is no padding."""
    target = case.target()
    expected = cross_entropy(case.logits(), target, case.pad_id, case.smoothing)
    actual = loss_of(impl, case, case.logits(), target)
    return isinstance(actual, Tensor) and actual.shape == () and math.isclose(actual, expected, rel_tol=ROUNDING)


def subject(impl: Implementation, vocab: int, d_model: int, seed: int) -> tuple[Any, nn.Module]:
    """A `RecordingSeq2Seq` to train beside the student's code, and the judge's twin of it."""
    model = impl.probe("RecordingSeq2Seq", vocab, d_model).to(torch.float64)
    set_parameters(model, seed)
    return model, twin(model, "RecordingSeq2Seq", vocab, d_model)


def as_fed(model: Any, tgt_out: Tensor, *, call: int = 0) -> Batch:
    """The batch as it reached the model: what it was fed is one law's matter, what follows from it
    another's."""
    require(model.calls() > call, f"the model was called {model.calls()} times with gradients on.")
    src, tgt_in, _ = model.call(call)
    return src, tgt_in, tgt_out


def same_parameters(model: nn.Module, own: nn.Module, because: str, *, atol: float = ROUNDING) -> None:
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
    require(set(report) <= names, f"the report has {sorted(set(report) - names)}, but no parameter is called so.")
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
    if kind in ("all zero", "one entry that is not zero", "one tiny entry", "entries that cancel"):
        flat.zero_()
    if kind == "entries that cancel":
        flat[place], flat[place - 1] = 0.5, -0.5
    elif kind == "large entries":
        flat.fill_(1e37)
    elif kind == "NaN everywhere":
        flat.fill_(math.nan)
    elif kind != "all zero":
        single = {
            "one tiny entry": 1e-12,
            "one NaN": math.nan,
            "one infinity": math.inf,
            "one minus infinity": -math.inf,
        }
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
    require(calls == case.steps, f"in {case.steps} steps the model was called {calls} times with gradients on.")
    return losses


def fed_batch(case: RunCase, src: Tensor, tgt_in: Tensor) -> Batch:
    """The batch of one step of a run: as it reached the model, and what it should have said."""
    check_tensor(src, "src", shape=(case.batch, case.length), dtype=torch.int64)
    check_tensor(tgt_in, "tgt_in", shape=(case.batch, case.length + 1), dtype=torch.int64)
    return src, tgt_in, framed(src)[2]


def as_scheduled(case: RunCase, number_of: int, step: ReplayedStep, loss: float) -> None:
    """Step `number_of` of a run (from 1) is Adam's, with the cooled rate, and `loss` was the loss before
    it."""
    run = f"With smoothing {case.smoothing} and clip {case.clip}, "
    words = f"{run}the loss of step {number_of} should be {step.loss:.6g}, but {loss:.6g} was returned."
    require(math.isclose(loss, step.loss, rel_tol=ROUNDING), words)
    words = f"{run}step {number_of} is not one of Adam on the clipped gradient, betas (0.9, 0.98), eps 1e-9:"
    require(step.stray <= 1e-4, f"{words} {step.stray:.2%} of it has another direction.")
    rate = cooled_noam(number_of, case.steps, case.d_model, case.warmup)
    cooling = f"{case.steps - number_of + 1}/{case.steps}"
    expected = f"{noam(number_of, case.d_model, case.warmup):.5g} * {cooling} = {rate:.5g}"
    words = f"{run}the learning rate of step {number_of} should be {expected}, but it was {step.rate:.5g}."
    require(math.isclose(step.rate, rate, rel_tol=1e-4), words)


def transformer(impl: Implementation, seed: int) -> Any:
    """The student's Transformer for the copy task, with parameters drawn by the judge."""
    vocab = COPY_TASK["vocab_size"]
    model = impl.earlier.Transformer(
        src_vocab=vocab,
        tgt_vocab=vocab,
        d_model=32,
        num_heads=HEADS,
        num_encoder_layers=1,
        num_decoder_layers=1,
        d_ff=64,
        max_len=COPY_TASK["length"] + 2,
        dropout=0.0,
        pad_id=PAD,
    )
    set_xavier(model, seed)
    return model


def copies(model: nn.Module, seed: int) -> tuple[Tensor, Tensor]:
    """For fresh sources, SOS + source + EOS, and what the judge's own decoding writes with the model's
    parameters."""
    judge = JudgeTransformer.from_student(dict(model.named_parameters()), num_heads=HEADS, pad_id=PAD)
    shape = (FRESH, COPY_TASK["length"])
    src = random_ids(shape, seed + 1, low=FIRST_CONTENT_ID, high=COPY_TASK["vocab_size"])
    expected = torch.cat([framed(src)[1], torch.full((FRESH, 1), EOS)], dim=1)  # (N, L + 2)
    written = judge.greedy(src, expected.size(1), SOS, EOS)
    missing = expected.size(1) - written.size(1)
    return expected, nn.functional.pad(written, (0, missing), value=PAD)
