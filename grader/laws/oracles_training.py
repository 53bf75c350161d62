"""Training as it should go: torch's own loss and optimizers, in the judge, on a twin of a probe."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from grader.course import EOS, PAD, SOS
from grader.laws import probes
from grader.laws.tensors import generator, random_tensor

BETAS, EPS = (0.9, 0.98), 1e-9
"""Adam's in the copy task."""

Batch = tuple[Tensor, Tensor, Tensor]
"""`src`, `tgt_in`, `tgt_out`."""


def noam(step: int, d_model: int, warmup: int) -> float:
    """Equation (3) of the paper; step 0 counts as 1."""
    count = max(step, 1)
    return float(d_model**-0.5 * min(count**-0.5, count * warmup**-1.5))


def cooled_noam(step: int, steps: int, d_model: int, warmup: int) -> float:
    """The learning rate of `train_copy_task` at step `step` of `steps`."""
    return noam(step, d_model, warmup) * (steps - step + 1) / steps


def cross_entropy(logits: Tensor, target: Tensor, pad_id: int, smoothing: float) -> Tensor:
    """`F.cross_entropy` over the targets that are not `pad_id`, of which there must be one."""
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=pad_id, label_smoothing=smoothing)


def framed(src: Tensor) -> Batch:
    """The copy task's batch for these sources: `tgt_in` begins with SOS, `tgt_out` ends with EOS."""
    column = src[:, :1]
    tgt_in = torch.cat([torch.full_like(column, SOS), src], dim=1)  # (B, L + 1)
    tgt_out = torch.cat([src, torch.full_like(column, EOS)], dim=1)  # (B, L + 1)
    return src, tgt_in, tgt_out


def set_parameters(model: nn.Module, seed: int) -> None:
    """Give every parameter known values: normal, rounded to eighths."""
    values = {
        name: random_tensor(parameter.shape, seed + number, dtype=parameter.dtype)
        for number, (name, parameter) in enumerate(model.named_parameters())
    }
    model.load_state_dict(values, strict=False)


def set_xavier(model: nn.Module, seed: int) -> None:
    """The start of a training run: matrices Xavier-uniform, norms the identity, biases 0, all from `seed`."""
    draw = generator(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() >= 2:
                bound = (6.0 / (parameter.size(0) + parameter.size(1))) ** 0.5
                values = torch.rand(parameter.shape, generator=draw) * 2 * bound - bound
                parameter.copy_(values)
            else:
                parameter.fill_(1.0 if name.endswith("weight") else 0.0)


def twin(model: nn.Module, probe: str, *sizes: float) -> nn.Module:
    """The judge's own copy of a probe, with the parameters that `model` has now."""
    with torch.random.fork_rng(devices=[]):  # its first parameters are drawn, and replaced at once
        own: nn.Module = getattr(probes, probe)(*sizes)
    parameters = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    own.to(next(iter(parameters.values())).dtype).load_state_dict(parameters, strict=False)
    return own.train()


def update(
    own: nn.Module,
    rule: torch.optim.Optimizer,
    batch: Batch,
    *,
    pad_id: int = PAD,
    smoothing: float = 0.0,
    clip: float | None = None,
) -> float:
    """One step of training by `rule`; the loss before it."""
    src, tgt_in, tgt_out = batch
    rule.zero_grad()
    before = cross_entropy(own(src, tgt_in), tgt_out, pad_id, smoothing)
    before.backward()
    torch.nn.utils.clip_grad_norm_(own.parameters(), math.inf if clip is None else clip)
    rule.step()
    return float(before.detach())


def gradient_norm(own: nn.Module, batch: Batch) -> float:
    """The total norm of the gradients of the plain loss of this batch."""
    src, tgt_in, tgt_out = batch
    loss = cross_entropy(own(src, tgt_in), tgt_out, PAD, 0.0)
    gradients = torch.autograd.grad(loss, list(own.parameters()), allow_unused=True, materialize_grads=True)
    return float(nn.utils.parameters_to_vector(gradients).norm())


def optimizer_for(model: nn.Module, name: str, **options: Any) -> torch.optim.Optimizer:
    """`torch.optim.<name>` over the parameters of a model of the judge's own."""
    made: torch.optim.Optimizer = getattr(torch.optim, name)(model.parameters(), **options)
    return made


@dataclass(frozen=True)
class ReplayedStep:
    """One step of a run, seen from outside: its learning rate, and how far it strayed from Adam's
    direction."""

    loss: float
    rate: float
    stray: float


def replay(
    own: nn.Module, batches: Sequence[Batch], snapshots: Sequence[Tensor], *, smoothing: float, clip: float | None
) -> list[ReplayedStep]:
    """What learning rate explains each step of a run of the copy task with Adam, betas (0.9, 0.98), eps 1e-9.

    `snapshots` are all parameters as one vector: before each step, and after the last. Each step is made
    again from its own snapshot with rate 1; the rate that was used is the best multiple of that step, and
    `stray` is what this multiple leaves unexplained, as a part of the whole step.
    """
    losses, gradients = _losses_and_gradients(own, batches, torch.stack(list(snapshots[:-1])), smoothing)
    limit = math.inf if clip is None else clip
    gradients = gradients * (limit / (gradients.norm(dim=1, keepdim=True) + 1e-6)).clamp(max=1.0)
    steps = []
    mean = square = torch.zeros_like(snapshots[0])
    for number, (gradient, before, after) in enumerate(zip(gradients, snapshots, snapshots[1:], strict=False), 1):
        mean = BETAS[0] * mean + (1 - BETAS[0]) * gradient
        square = BETAS[1] * square + (1 - BETAS[1]) * gradient**2
        direction = -mean / (1 - BETAS[0] ** number) / ((square / (1 - BETAS[1] ** number)).sqrt() + EPS)
        moved = after - before
        rate = float(moved @ direction / (direction @ direction))
        stray = float((moved - rate * direction).norm() / moved.norm().clamp_min(1e-300))
        steps.append(ReplayedStep(float(losses[number - 1]), rate, stray))
    return steps


def _losses_and_gradients(
    own: nn.Module, batches: Sequence[Batch], snapshots: Tensor, smoothing: float
) -> tuple[Tensor, Tensor]:
    """The loss (S,) of each batch with its own parameters, the rows of `snapshots`, and its gradient (S, P)."""

    def loss(parameters: Tensor, src: Tensor, tgt_in: Tensor, tgt_out: Tensor) -> Tensor:
        parts = parameters.split([parameter.numel() for parameter in own.parameters()])
        named = {
            name: part.view_as(parameter) for part, (name, parameter) in zip(parts, own.named_parameters(), strict=True)
        }
        logits = torch.func.functional_call(own, named, (src, tgt_in))
        return cross_entropy(logits, tgt_out, PAD, smoothing)

    columns = [torch.stack(list(ids)) for ids in zip(*batches, strict=True)]  # (S, B, L), twice (S, B, L + 1)
    gradients, losses = torch.func.vmap(torch.func.grad_and_value(loss))(snapshots, *columns)
    return losses, gradients
