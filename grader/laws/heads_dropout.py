"""Checks of the dropout in multi-head attention: which weights were dropped, as the mixed values show it."""

from typing import Any

import torch
from torch import Tensor

from grader.laws.compare import agree, broken, check_tensor, in_its_own_sizes, require
from grader.laws.dropout_checks import nearest_after_dropout
from grader.laws.heads_table import ROUNDING, circumstances
from grader.laws.interface import Implementation
from grader.laws.model_cases import HeadsCase
from grader.laws.module_checks import Inputs, attention, run
from grader.laws.oracles import Parameters, linear

_AXES = ("samples", "heads", "queries", "keys")
_IMPOSSIBLE = 1e-12
"""The probability of what never happens by chance, in all the runs that there will be."""


@in_its_own_sizes
def check_every_dropout(impl: Implementation, seed: int) -> None:
    """In training mode weights are dropped as they should be, whatever the circumstances."""
    factors = {"dtype": (torch.float64, torch.float32), "gradients": (True, False), "learning": (False, True)}
    most = {"batch": 6, "heads": 4, "queries": 4}  # with two sizes of one, too few weights would be left to judge by
    sizes = (most, *({**most, name: 1} for name in most))
    given = {name: (size,) for name, size in most.items()}
    for here in circumstances(seed, **factors, **given, sizes=sizes, dropout=(0.6,), training=(True,)):
        where = f"({here}{', parameters that learn' if here['learning'] else ''})"
        with torch.set_grad_enabled(here["gradients"]):
            check_dropped_weights(here.module(impl), here.case, here.inputs(), here.mask(), here["dropout"], where)
    case = HeadsCase(batch=4, heads=3, d_k=3, tq=5, tk=6, seed=seed)
    for dtype in (torch.float16, torch.bfloat16):  # too coarse to tell which weights were dropped
        mha = attention(impl, case, dropout=0.5).to(dtype).train()
        first, second = (run(mha, case.inputs(dtype))[0] for _ in range(2))
        require(not torch.equal(first, second), f"in training mode, dropout 0.5, nothing is dropped in {dtype}.")


def check_dropped_weights(
    mha: Any, case: HeadsCase, inputs: Inputs, mask: Tensor | None, drop: float, where: str
) -> None:
    """In training mode each weight is either dropped or divided by 1 - `drop`, each by a draw of its own.

    The module, built with dropout `drop`, is changed by this: its w_o only adds its bias to the joined heads.
    """
    own, atol = Parameters.of(mha), ROUNDING[inputs[0].dtype]
    with torch.no_grad():
        own["w_o.weight"].copy_(torch.eye(case.d_model))
    bias = linear(own, "w_o", torch.zeros(case.d_model, dtype=inputs[0].dtype)).detach()
    values = linear(own, "w_v", inputs[2]).detach()
    values = values.unflatten(-1, (case.heads, case.d_k)).transpose(1, 2)  # (B, H, Tk, d_k)

    output, plain = (part.detach() for part in run(mha.eval(), inputs, mask))
    check_tensor(plain, "weights", shape=(case.batch, case.heads, case.tq, case.tk), dtype=values.dtype)
    joined = (plain @ values).transpose(1, 2).flatten(-2) + bias  # (B, Tq, d_model)
    because = "It should be the weights times the values: is something dropped or scaled although the module is in eval"
    what = f"output, with an identity as w_o.weight {where}, back in eval mode"
    agree(output, joined, what, atol=atol, because=f"{because} mode?")

    output, weights = (part.detach() for part in run(mha.train(), inputs, mask))
    check_tensor(output, "output", shape=joined.shape)
    heads = (output - bias).unflatten(-1, (case.heads, case.d_k)).transpose(1, 2)  # (B, H, Tq, d_k)
    nearest, kept = nearest_after_dropout(heads, plain, values, drop)
    because = f"In training mode each weight is dropped or divided by 1 - {drop}, after the softmax. No choice of those"
    because = f"{because} that are dropped gives this {where}; expected is the nearest."
    agree(heads, nearest, "the heads' output", atol=atol, given={"mask": mask}, because=because)
    _check_draws(kept.bool(), plain > 1e-3, drop, where)  # a smaller weight may be lost in rounding

    check_tensor(weights, f"weights {where}", shape=plain.shape, dtype=plain.dtype)
    before, after = (float((weights - w).abs().max()) for w in (plain, plain * kept / (1 - drop)))
    if min(before, after) > atol:
        broken(
            f"the returned weights are neither those before nor those after the dropout {where}.",
            before=plain,
            after=plain * kept / (1 - drop),
            yours=weights,
        )
    again = run(mha, inputs, mask)[0].detach()
    if (drop**2 + (1 - drop) ** 2) ** int((plain > 1e-3).sum()) < _IMPOSSIBLE:
        require(not torch.equal(again, output), f"two calls drop exactly the same weights {where}.")
        ended = "the second call in training mode drops nothing: did the first one end the training mode?"
        require(float((again - joined).abs().max()) > atol, f"{ended} {where}")


def _check_draws(kept: Tensor, asked: Tensor, drop: float, where: str) -> None:
    """Of the weights (B, H, Tq, Tk) that are `asked` about, a share of `drop` was not kept, each by its own draw."""
    count = int(asked.sum())
    share, sigma = 1 - float(kept[asked].double().mean()), (drop * (1 - drop) / count) ** 0.5
    for axis, name in enumerate(_AXES):
        differ = (kept & asked).any(axis) & (~kept & asked).any(axis)
        by_chance = _chance_of_one_fate(asked.sum(axis), drop) > _IMPOSSIBLE
        words = f"the same weights are dropped for all {name}, or none are dropped {where}."
        require(by_chance or bool(differ.any()), words)
    require(abs(share - drop) < 6 * sigma, f"{share:.0%} of the weights are dropped instead of {drop:.0%} {where}.")
    chance, three = drop**2 + (1 - drop) ** 2, drop**3 + (1 - drop) ** 3
    variance = chance * (1 - chance) + 2 * (three - chance**2)  # of a pair, with those that share a weight with it
    for axis, name in enumerate(_AXES):
        first, second = (asked.narrow(axis, start, asked.size(axis) - 1) for start in (0, 1))
        if pairs := int((first & second).sum()):
            alike = float((~kept.int().diff(dim=axis).bool())[first & second].double().mean())
            words = f"of neighbouring {name} {alike:.0%} share their fate, instead of {chance:.0%}"
            require(abs(alike - chance) < 6 * (variance / pairs) ** 0.5, f"{words} {where}.")


def _chance_of_one_fate(counts: Tensor, drop: float) -> float:
    """The probability that in each of several groups, of so many weights, all are dropped or all are kept."""
    return float((drop ** counts.double() + (1 - drop) ** counts.double()).clamp(max=1.0).prod())
