"""A student's modules with drawn parameters, and checks of modules that several laws share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from grader.laws.compare import agree, broken, check_gradients, check_pair, check_tensor, require
from grader.laws.interface import Implementation
from grader.laws.model_cases import HeadsCase, LayerCase, ModelCase
from grader.laws.oracles import Parameters, attend, draw_parameters
from grader.laws.own_work import COMPUTED, shortcuts_in_source
from grader.laws.tensors import random_tensor

EXACT = 1e-6
"""Absolute error in float64: far above rounding, far below what any fault does to values of size one."""

CLOSE = 1e-4
"""The same in float32."""

LOOSE = 2e-3
"""Against torch in float64: leaves room for another small epsilon in the norms and a float32 table of positions."""

BEHIND_THE_WEIGHTS = (
    "The weights are right, so look behind them: at the values (`value` through w_v), at how the weights mix them, at "
    "how the heads are joined, and at w_o."
)

NEARLY_ONE = 1 - 1e-9
"""A dropout that drops everything, without the division by zero of exactly 1."""

NORMS = {"EncoderLayer": ("norm1", "norm2"), "DecoderLayer": ("norm1", "norm2", "norm3")}

Inputs = tuple[Tensor, Tensor, Tensor]

# Modules are in eval mode with drawn parameters and, unless a law asks otherwise, in float64. Where no law asks for
# gradients they are frozen: no graph is kept, and a hundred parameters need not pass through autograd at every call.


def attention(
    impl: Implementation, case: HeadsCase, *, dropout: float = 0.0, seed: int = 0, frozen: bool = True
) -> Any:
    """A student's MultiHeadAttention."""
    mha = impl.MultiHeadAttention(**case.arguments, dropout=dropout, bias=case.bias)
    return _prepared(mha, case.seed + seed, gain=1.5, frozen=frozen)


def layer(impl: Implementation, kind: str, case: LayerCase, *, dropout: float | None = None) -> Any:
    """A student's FeedForward, EncoderLayer or DecoderLayer; without `dropout` it is left to the student's default."""
    sizes = {name: size for name, size in case.arguments.items() if name != "num_heads" or kind != "FeedForward"}
    options = {} if dropout is None else {"dropout": dropout}
    return _prepared(getattr(impl, kind)(**sizes, **options), case.seed)


def transformer(
    impl: Implementation, case: ModelCase, *, seed: int = 0, frozen: bool = True, dtype: torch.dtype = torch.float64
) -> Any:
    """A student's Transformer."""
    return _prepared(impl.Transformer(**case.arguments), case.seed + seed, frozen=frozen, dtype=dtype)


def _prepared(
    module: Any, seed: int, *, gain: float = 1.0, frozen: bool = True, dtype: torch.dtype = torch.float64
) -> Any:
    if dtype != torch.float32:  # which a fresh module has
        module = module.to(dtype)
    module.eval()
    draw_parameters(module, seed, gain=gain)
    return module.requires_grad_(False) if frozen else module


def run(mha: Any, inputs: Inputs, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The student's output and weights for query, key and value."""
    try:
        result = mha(*inputs) if mask is None else mha(*inputs, mask=mask)
    except Exception as error:
        error.context = _circumstances(error, inputs, mask)  # type: ignore[attr-defined]
        raise
    output, weights = check_pair(result, "the result of forward")
    under = "" if mask is None else f" under a mask of shape {tuple(mask.shape)}"
    return check_tensor(output, f"output{under}"), check_tensor(weights, f"weights{under}")


def _circumstances(error: Exception, inputs: Inputs, mask: Tensor | None) -> str:
    """With what forward was called when it raised `error`, as far as that helps to understand the error."""
    words = [f"{name} {tuple(x.shape)}" for name, x in zip(("query", "key", "value"), inputs, strict=True)]
    words += [] if mask is None else [f"mask {tuple(mask.shape)}"]
    called = f"forward was called with shapes {', '.join(words)}."
    if "same dtype" not in str(error) and "scalar type" not in str(error):
        return called
    return (
        f"{called} Module and inputs are in {inputs[0].dtype} here. A layer or a tensor that forward makes itself has "
        "the default dtype: make layers in __init__, and give tensors the dtype and the device of the inputs."
    )


def agree_with_torch(
    mha: Any, case: HeadsCase, inputs: Inputs, mask: Tensor | None = None, because: str = "", *, atol: float = EXACT
) -> None:
    """Output and weights are those of `nn.MultiheadAttention` with the student's parameters.

    `atol` is the weights' absolute error, and the output's for values of size one.
    """
    dtype, (query, key, value) = inputs[0].dtype, (x.double() for x in inputs)
    expected, expected_weights = attend(Parameters.of(mha).double(), case.heads, query, key, value, mask)
    output, weights = run(mha, inputs, mask)
    agree(weights, expected_weights.to(dtype), "weights", atol=atol, given={"mask": mask}, because=because)
    because = f"{because} {BEHIND_THE_WEIGHTS}".strip()
    atol *= max(1.0, float(expected.detach().abs().max()))
    agree(output, expected.to(dtype), "output", atol=atol, given={"mask": mask}, because=because)


def same_as(fresh: Any, used: Any, inputs: Inputs, mask: Tensor | None, because: str) -> None:
    """An attention that was called before gives what one that was never called gives."""
    expected, expected_weights = run(fresh, inputs, mask)
    output, weights = run(used, inputs, mask)
    agree(weights, expected_weights, "weights", atol=EXACT, because=because)
    agree(output, expected, "output", atol=EXACT, because=because)


def not_constant(output: Any) -> Tensor:
    """Keeps a law that compares a module with itself from being passed by a constant."""
    tensor = check_tensor(output, "the result")
    require(float(tensor.detach().double().std()) > EXACT, "the result has one value everywhere.")
    return tensor


def moves(now: Tensor, then: Tensor, atol: float = EXACT) -> Tensor:
    """Where a result (..., features) is not what it was before."""
    return (now - then).detach().abs().amax(dim=-1) > atol


def norm(own: Parameters, name: str, x: Tensor) -> Tensor:
    """Layer normalisation with the student's weight and bias."""
    return F.layer_norm(x, x.shape[-1:], own[f"{name}.weight"], own[f"{name}.bias"])


def norms_only(own: Parameters, kind: str, x: Tensor) -> Tensor:
    """What is left of a layer without its sublayers: norm after norm of its input."""
    for name in NORMS[kind]:
        x = norm(own, name, x)
    return x


def check_parameters(found: Mapping[str, Tensor], wanted: Mapping[str, tuple[int, ...]], what: str) -> None:
    """These parameters, of these shapes, and no others."""
    for name, shape in wanted.items():
        require(name in found, f"{what} has no parameter `{name}` of its own.")
        has = tuple(found[name].shape)
        require(has == shape, f"in {what}, `{name}` should have shape {shape}, but it has {has}.")
    extra = sorted(set(found) - set(wanted))
    require(not extra, f"{what} has parameters that are not asked for: {', '.join(extra[:4])}.")


def learning(leaves: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Those that have a gradient. A bias on the keys adds the same to all scores of a query: its gradient is zero."""
    return {name: leaf for name, leaf in leaves.items() if not name.endswith("w_k.bias")}


def check_slope(leaves: Mapping[str, Tensor], loss: Callable[[], Tensor], seed: int, where: str) -> None:
    """Each leaf gets a gradient that is not zero; along one direction of all leaves they tell how `loss()` changes.

    The leaves are moved a little. `where` names the circumstances, as in " in eval mode". A loss that draws numbers has
    to seed the generators first; if it is another one all the same, its changes tell nothing and are not asked for.
    """
    for leaf in leaves.values():
        leaf.grad = None
    value = loss()
    require(value.requires_grad, f"the result{where} carries no gradient at all.")
    backward(value, where)
    check_gradients(learning(leaves), where)
    with torch.no_grad():
        if abs(float(loss()) - float(value)) > EXACT:
            return
    for size in (1e-6, 1e-8):  # should there be the corner of a ReLU within the larger step, the smaller one decides
        steps = [random_tensor(tuple(leaf.shape), seed + i, scale=size) for i, leaf in enumerate(leaves.values())]
        pairs = list(zip(leaves.values(), steps, strict=True))
        slope = sum(float((leaf.grad * step).sum()) for leaf, step in pairs if leaf.grad is not None) / size
        found = _change(loss, pairs) / size
        if abs(found - slope) <= 1e-3 * max(abs(found), 1.0):
            return
    changes = f"moving everything a little along one direction changes the result by {found:.6g} per step{where}"
    causes = "a part of them is cut, scaled or clipped, or the result is rounded to float32 on the way"
    broken(f"{changes}, the gradients predict {slope:.6g}: {causes}.")


def _change(loss: Callable[[], Tensor], pairs: Sequence[tuple[Tensor, Tensor]]) -> float:
    """How much the loss changes for each step of (leaf, step), looked at on both sides; the leaves come back."""
    ends = []
    for factor in (1, -2):
        _move(pairs, factor)
        with torch.no_grad():
            ends.append(float(loss()))
    _move(pairs, 1)
    return (ends[0] - ends[1]) / 2


@torch.no_grad()
def _move(pairs: Sequence[tuple[Tensor, Tensor]], factor: int) -> None:
    """Take `factor` steps with each leaf."""
    for leaf, step in pairs:
        leaf += factor * step


def backward(value: Tensor, where: str) -> None:
    """The backward pass of a student's code, which fails if forward overwrote what it needs."""
    try:
        value.backward()
    except RuntimeError as error:
        if "inplace operation" not in str(error):
            raise
        broken(
            f"the backward pass{where} fails: after it was used in forward, a tensor or a parameter was overwritten by "
            "an operation in place. Compute a new tensor instead."
        )


@contextmanager
def keeps_parameters(module: Any, what: str) -> Iterator[None]:
    """What is called inside, described by `what`, leaves the parameters of a module as they are."""
    before = {name: value.detach().clone() for name, value in module.named_parameters()}
    yield
    now = dict(module.named_parameters())
    changed = [name for name, value in before.items() if name not in now or not torch.equal(now[name], value)]
    words = f"{what} changed the parameter {' and '.join(changed[:3])}: forward only reads parameters"
    require(not changed, f"{words}, and the optimizer changes them.")


def check_own_work(impl: Implementation) -> None:
    """No shortcut of torch's was seen running, and none stands in the file."""
    used = [f"{name} (line {line})" for line, name in shortcuts_in_source(impl.source)] or sorted(impl.library_calls)
    hidden = " Write the name out: a computed one may be any." if any(COMPUTED in name for name in used) else ""
    require(not used, f"the exercise is to write it yourself, but this is used: {', '.join(used)}.{hidden}")
