"""Checks of multi-head attention in every pair of circumstances."""

from typing import Any

import torch
from torch import Tensor

from grader.laws.attention import Pair
from grader.laws.compare import agree, agree_on_gradients, check_tensor, holds, in_its_own_sizes, require
from grader.laws.heads_table import Circumstances, circumstances
from grader.laws.interface import Implementation
from grader.laws.model_cases import MASK_KINDS
from grader.laws.module_checks import (
    Inputs,
    agree_with_torch,
    attention,
    backward,
    learning,
    not_constant,
    run,
)
from grader.laws.oracles import Parameters, attend, linear, named_parameters
from grader.laws.side_effects import leaves_alone
from grader.laws.tensors import random_tensor

_BOTH = (False, True)


@in_its_own_sizes
def check_every_circumstance(impl: Implementation, seed: int) -> None:
    """Output and weights are torch's for all sizes, masks, dtypes and inputs, in both modes, with gradients or not."""
    for here in circumstances(seed, training=_BOTH, gradients=(True, False), zeros=_BOTH):
        with torch.set_grad_enabled(here["gradients"]):
            because, mha = f"Here: {here}.", here.module(impl)
            agree_with_torch(mha, here.case, here.inputs(), here.mask(), because=because, atol=here.atol)


@in_its_own_sizes
def check_every_layout(impl: Implementation, seed: int) -> None:
    """Inputs and masks that are not contiguous make no difference, whatever the circumstances."""
    one = {"batch": (3,), "queries": (4,), "dtype": (torch.float64,)}  # a single sample or token has one layout
    for here in circumstances(seed, **one, layout=("transposed", "expanded"), training=_BOTH, gradients=(True, False)):
        mha, inputs, mask = here.module(impl), here.inputs(), here.mask()
        flat = {id(x): x.contiguous() for x in inputs}  # one tensor remains one
        query, key, value = (flat[id(x)] for x in inputs)
        with torch.set_grad_enabled(here["gradients"]):
            expected = run(mha, (query, key, value), None if mask is None else mask.contiguous())
            because = f"Here: {here}. Expected is what contiguous tensors with the same values give."
            _agree(run(mha, inputs, mask), expected, here, because)
            not_constant(expected[0])


@in_its_own_sizes
def check_every_evaluation(impl: Implementation, seed: int) -> None:
    """In eval mode nothing is dropped, whatever the circumstances."""
    fine = (torch.float64, torch.float32)
    for here in circumstances(seed, dtype=fine, dropout=(0.5,), gradients=(True, False), learning=_BOTH):
        plain = attention(impl, here.case).to(here.dtype)
        because = f"Here: {here}. Expected is what a module with dropout 0 gives."
        with torch.set_grad_enabled(here["gradients"]):
            found, expected = (run(mha, here.inputs(), here.mask()) for mha in (here.module(impl), plain))
            _agree(found, expected, here, because)


def _agree(found: Pair, expected: Pair, here: Circumstances, because: str) -> None:
    for what, one, other in zip(("output", "weights"), found, expected, strict=True):
        agree(one, other, what, atol=here.atol * max(1.0, float(other.abs().max())), because=because)


@in_its_own_sizes
def check_every_gradient(impl: Implementation, seed: int) -> None:
    """Every parameter gets the right gradient, and the inputs that ask for one, whatever the circumstances.

    A tensor that is several inputs at once gets the sum of what they get.
    """
    fine, half = (torch.float64, torch.float32), (torch.float16, torch.bfloat16)
    for here in circumstances(seed, dtype=fine, learning=(True,), inputs_ask=(True, False)):
        mha = here.module(impl)
        for now in (here, here.but(training=True)):
            _check_gradients(mha.train(now["training"]), now, now.inputs())
    usual = {name: (size,) for name, size in (("batch", 3), ("heads", 2), ("queries", 4))}
    for here in circumstances(seed, dtype=half, **usual, learning=(True,), inputs_ask=(True,), training=_BOTH):
        _check_gradients(here.module(impl), here, here.inputs())


def _check_gradients(mha: Any, here: Circumstances, inputs: Inputs, told: str = "") -> None:
    """Parameters, and inputs if they ask, get the gradients that they get from torch's operator."""
    asking = dict(zip(("query", "key", "value"), inputs, strict=True)) if here["inputs_ask"] else {}
    leaves = {name: x.requires_grad_() for name, x in asking.items()} | named_parameters(mha)
    for leaf in leaves.values():
        leaf.grad = None
    mask = here.thin_mask()
    where = f" ({here}{told}; {'inputs and' if asking else 'only the'} parameters ask for gradients)"
    output, _ = run(mha, inputs, mask)
    require(output.requires_grad, f"the output carries no gradient at all{where}.")
    slopes = random_tensor(output.shape, here.case.seed, dtype=here.dtype)
    backward((output * slopes).sum(), where)
    query, key, value = (x.double() for x in inputs)
    exact, _ = attend(Parameters.of(mha).double(), here.case.heads, query, key, value, mask)
    agree_on_gradients(learning(leaves), output, exact, slopes, where, atol=here.atol)


@in_its_own_sizes
def check_every_blind_query(impl: Implementation, seed: int) -> None:
    """A query that sees nothing has zero weights, the bias of w_o as its output, and spoils no gradient, whatever the
    circumstances."""
    factors = {"keys": (4, 1), "mask": MASK_KINDS, "learning": (True,)}
    for here in circumstances(seed, **factors, dropout=(0.0, 0.5), training=_BOTH):
        mha, case = here.module(impl), here.case
        mask = torch.ones_like(case.mask(here["mask"]))
        mask[0] = False  # the first sample of four axes, the first query of two
        for gradients in (False, True):
            with torch.set_grad_enabled(gradients):
                _check_blind(mha, here, mask, *run(mha, here.inputs(), mask))


def _check_blind(mha: Any, here: Circumstances, mask: Tensor, output: Tensor, weights: Tensor) -> None:
    case = here.case
    shape = (case.batch, case.heads, case.tq, case.tk)
    blind = ~mask.expand(shape)  # (B, H, Tq, Tk)
    where = f"of queries that see nothing ({here}{'' if torch.is_grad_enabled() else ', torch.no_grad()'})"
    check_tensor(weights, "weights", shape=shape)
    agree(weights * blind, torch.zeros_like(weights), f"weights {where}", atol=0.0, given={"mask": mask})
    own = Parameters.of(mha)
    bias = linear(own, "w_o", torch.zeros(case.d_model, dtype=here.dtype)).detach()
    dead = blind[:, 0, :, :1]  # (B, Tq, 1): here in all heads alike
    if not (here["training"] and here["dropout"]):  # how what is left is dropped is another law's
        expected, because = torch.where(dead, bias, output), "It should be the bias of w_o."
        agree(output, expected, f"output {where}", atol=here.atol, given={"mask": mask}, because=because)
    if output.requires_grad:
        backward(output.square().sum(), f" {where}")
    for name, parameter in mha.named_parameters():
        if parameter.grad is not None:
            check_tensor(parameter.grad, f"the gradient of {name} beside the output {where}")


@in_its_own_sizes
def check_every_side_effect(impl: Implementation, seed: int) -> None:
    """A call leaves its inputs, its mask and the global settings as they are, whatever the circumstances."""
    for here in circumstances(seed, training=_BOTH, gradients=(True, False)):
        mha, inputs, mask = here.module(impl), here.inputs(), here.mask()
        named = dict(zip(("the query", "the key", "the value", "the mask"), (*inputs, mask), strict=True))
        given = {id(x): (name, x) for name, x in reversed(named.items()) if x is not None}  # each tensor once
        impl.seed(12345)  # not what a call would seed with
        with (
            leaves_alone(impl, "forward", dict(given.values()), str(here), draws=here["training"]),
            torch.set_grad_enabled(here["gradients"]),
        ):
            run(mha, inputs, mask)


@in_its_own_sizes
def check_forgetting(impl: Implementation, seed: int) -> None:
    """A call gives what it should, whatever the same module was called with before, in whatever circumstances.

    Where the first call of a module is wrong already, other laws say so.
    """
    for here in circumstances(seed, dtype=(torch.float64,), training=_BOTH, learning=(True,), gradients=_BOTH):
        mha, first, second, mask = here.module(impl), here.inputs(), here.inputs(seed=1), here.thin_mask()
        other = None if mask is None else mask.roll(1, -1)
        told = f"Here: {here}; the same module was called before, with another mask or other inputs."
        with torch.set_grad_enabled(here["gradients"]):
            if not holds(_check_first, mha, here, first, mask):
                continue
            for inputs, given in ((first, None), (second, None), (second, other), (first, mask)):
                agree_with_torch(mha, here.case, inputs, given, because=told)
        if here["gradients"]:
            with torch.no_grad():
                run(mha, second, mask)
            _check_gradients(mha, here, second, "; the call before was the same one, under torch.no_grad()")
    _check_tokens_alone(impl, seed)


def _check_tokens_alone(impl: Implementation, seed: int) -> None:
    """One token after another, as when a sentence is written: no call sees the tokens of those before."""
    here = Circumstances({"batch": 2, "heads": 2, "inputs": "x, x, x", "keys": 1, "mask": None}, seed)
    told = "Here: one token in each call, under torch.no_grad(); none sees the tokens of the calls before."
    mha = here.module(impl)
    with torch.no_grad():
        if holds(_check_first, mha, here, here.inputs(), None):
            for i in (1, 2):
                agree_with_torch(mha, here.case, here.inputs(seed=i), because=told)


def _check_first(mha: Any, here: Circumstances, inputs: Inputs, mask: Tensor | None) -> None:
    if torch.is_grad_enabled():
        _check_gradients(mha, here, inputs)
    agree_with_torch(mha, here.case, inputs, mask, atol=here.atol)
