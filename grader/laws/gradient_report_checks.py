"""What several laws of `gradient_report` check in the same way, and the gradients that they set."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from grader.laws.compare import broken, kind_of, require
from grader.laws.interface import Implementation
from grader.laws.tensors import random_tensor

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


def report_of(impl: Implementation, model: nn.Module) -> dict[str, str]:
    """The student's gradient report, which names every parameter and nothing else."""
    report = impl.gradient_report(model)
    if not isinstance(report, dict):
        broken(f"gradient_report should return a dict, but it returned {kind_of(report)}.")
    names = {name for name, _ in model.named_parameters()}
    require(names <= set(report), f"the report leaves out {sorted(names - set(report))}.")
    foreign = sorted(set(report) - names)
    words = f"the report has {foreign}, but no parameter of the model is called so: is that from an earlier call?"
    require(not foreign, words)
    return report


def says(report: dict[str, str], name: str, expected: str, gradient: Tensor | None) -> None:
    """The report has the right word for one parameter."""
    shown = {} if gradient is None else {f"gradient of {name}": gradient.reshape(1, -1)}
    words = f'the gradient of {name} should be called "{expected}", but the report says {report[name]!r}.'
    require(report[name] == expected, words, **shown)


def all_judged_rightly(wrong: Sequence[tuple[str, str, str, Tensor]]) -> None:
    """No gradient is in `wrong`, as its kind (of `KINDS_OF_GRADIENT`), parameter, word in the report, and value."""
    for kind, name, word, gradient in wrong:
        kinds, names = (", ".join(dict.fromkeys(values)) for values in list(zip(*wrong, strict=True))[:2])
        words = f'should be called "{KINDS_OF_GRADIENT[kind]}", but the report says {word!r}'
        everywhere = f"So it is for gradients with {kinds}, in {names}."
        broken(f"the gradient of {name} {words}. {everywhere}", **{f"gradient of {name}": gradient.reshape(1, -1)})


def gradient_like(parameter: Tensor, kind: str, seed: int) -> Tensor:
    """A gradient of one of `KINDS_OF_GRADIENT`; entries that cancel need two of them."""
    gradient = random_tensor(parameter.shape, seed, dtype=parameter.dtype)
    flat, place = gradient.view(-1), seed % parameter.numel()
    if kind in ("all zero", "one entry that is not zero", "one tiny entry", "entries that cancel"):
        flat.zero_()
    if kind == "entries that cancel":
        flat[place], flat[place - 1] = 0.5, -0.5
    elif kind == "large entries":
        flat.fill_(torch.finfo(gradient.dtype).max)
    elif kind == "NaN everywhere":
        flat.fill_(math.nan)
    elif kind != "all zero":
        single = {
            "one tiny entry": torch.finfo(gradient.dtype).tiny ** 0.4,  # its square is not 0: a norm finds it, too
            "one NaN": math.nan,
            "one infinity": math.inf,
            "one minus infinity": -math.inf,
        }
        flat[place] = single.get(kind, -0.125)
    return gradient
