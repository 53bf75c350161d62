"""Comparisons that laws make: shape, dtype and device first, then finiteness, then values.

Every function raises `LawBroken` with a sentence that says what was expected and what came, and where it helps
the two tensors side by side. `torch.allclose` alone would broadcast, and would not say anything.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, NoReturn, ParamSpec

import torch
from torch import Tensor

from grader.laws.drawing import DIFFERENCE, EXPECTED, YOURS, Drawing, draw, worst_slice
from grader.laws.errors import LawBroken
from grader.laws.interface import StandIn
from grader.laws.tensors import tolerance

P = ParamSpec("P")


def broken(message: str, **shown: Tensor) -> NoReturn:
    """Fail the law with a sentence; `shown` tensors are drawn below it."""
    raise LawBroken(message, [draw(shown)] if shown else (), actual=next(iter(reversed(shown.values())), None))


def require(condition: bool, message: str, **shown: Tensor) -> None:
    """Fail the law with `message` unless `condition` holds."""
    if not condition:
        broken(message, **shown)


def holds(check: Callable[..., object], *args: Any, **options: Any) -> bool:
    """Whether a check passes: for laws that ask for more, and leave to others what is wrong already."""
    with suppress(Exception):
        check(*args, **options)
        return True
    return False


@contextmanager
def under(circumstance: str) -> Iterator[None]:
    """What fails inside is told with its circumstance: "with a mask, no gradient reaches q"."""
    try:
        yield
    except LawBroken as failure:
        failure.message = f"{circumstance}, {failure.message}"
        raise


@contextmanager
def called(words: str) -> Iterator[None]:
    """What the student's code raises inside is told with how it was called."""
    try:
        yield
    except Exception as error:
        error.context = f"It was called {words}."  # type: ignore[attr-defined]
        raise


def in_its_own_sizes(check: Callable[P, None]) -> Callable[P, None]:
    """What fails in `check` tells its own sizes. Those of the law's case, beside them, would only confuse."""

    @wraps(check)
    def told(*args: P.args, **options: P.kwargs) -> None:
        try:
            check(*args, **options)
        except Exception as error:
            error.in_its_own_sizes = True  # type: ignore[attr-defined]
            raise

    return told


def kind_of(value: Any) -> str:
    """How to call a value of an unexpected type: `None`, `a tuple of 2`, `an int`."""
    if value is None:
        return "None (is a `return` missing?)"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    return f"a value of type {value.remote_class if isinstance(value, StandIn) else type(value).__name__}"


def check_tensor(
    actual: Any,
    what: str,
    *,
    shape: Sequence[int] | None = None,
    dtype: torch.dtype | None = None,
    device: str | None = None,
    finite: bool = True,
) -> Tensor:
    """`actual` is a tensor of this shape and dtype, on this kind of device, without NaN or infinity."""
    if not isinstance(actual, Tensor):
        broken(f"{what} should be a tensor, but it is {kind_of(actual)}.")
    if shape is not None and tuple(actual.shape) != tuple(shape):
        broken(f"{what} should have shape {tuple(shape)}, but it has shape {tuple(actual.shape)}.")
    if dtype is not None and actual.dtype != dtype:
        broken(f"{what} should be of dtype {dtype}, but it is {actual.dtype}.")
    if device is not None and actual.device.type != device:
        broken(f"{what} should be on the device of the inputs ({device}), but it is on {actual.device.type}.")
    if finite and actual.device.type != "meta" and actual.is_floating_point() and not actual.isfinite().all():
        bad = "NaN" if actual.isnan().any() else "infinity"
        raise LawBroken(
            f"{what} should be finite, but it holds {bad}.",
            [draw({f"{what} (yours)": actual}, worst_slice(actual, torch.zeros_like(actual)))],
            actual=actual.detach(),
        )
    return actual


def check_pair(actual: Any, what: str) -> tuple[Any, Any]:
    """`actual` is a pair, as `(output, weights)` is."""
    if not isinstance(actual, (tuple, list)) or len(actual) != 2:
        broken(f"{what} should be a pair, but it is {kind_of(actual)}.")
    return actual[0], actual[1]


def agree(
    actual: Any,
    expected: Tensor,
    what: str,
    *,
    atol: float | None = None,
    given: Mapping[str, Tensor | None] | None = None,
    because: str = "",
) -> Tensor:
    """`actual` equals `expected`: shape and dtype exactly, values within `atol`.

    `atol` defaults to what rounding may cause in the expected dtype over one row. `given` names the small inputs
    to draw above the comparison; `because` is a sentence for the student, added to the message.
    """
    with _told(because):
        actual = check_tensor(actual, what, shape=expected.shape, dtype=expected.dtype, finite=False)
    expected = expected.detach()
    if expected.is_floating_point():
        gap = (actual.detach().to(torch.float64) - expected.to(torch.float64)).abs()
        fits = not gap.numel() or float(gap.max()) <= (_rounding(expected) if atol is None else atol)
    else:
        gap = actual.detach() != expected
        fits = not gap.any()
    if fits:
        return actual
    with _told(because):
        check_tensor(actual, what)  # NaN and infinity fit nothing, but deserve a sentence of their own
    lead = worst_slice(actual, expected)
    raise LawBroken(
        f"{what.removesuffix(',')}: {_gap_in_words(gap, lead)}{f' {because}' if because else ''}",
        _drawings(actual, expected, lead, given or {}, atol or 0.0),
        actual=actual.detach(),
        expected=expected,
    )


@contextmanager
def _told(because: str) -> Iterator[None]:
    """What fails inside ends with `because`."""
    try:
        yield
    except LawBroken as failure:
        failure.message = f"{failure.message} {because}".rstrip()
        raise


def _rounding(expected: Tensor) -> float:
    scale = float(expected.abs().max()) if expected.numel() else 1.0
    return tolerance(expected.dtype, terms=8, scale=scale)


def _gap_in_words(gap: Tensor, lead: tuple[int, ...]) -> str:
    where = f" (shown: the slice at {list(lead)})" if lead else ""
    if gap.dtype is torch.bool:
        return f"wrong in {int(gap.sum())} of {gap.numel()} places{where}."
    return f"off by up to {float(gap.max()):.3g}{where}."


def _drawings(
    actual: Tensor, expected: Tensor, lead: tuple[int, ...], given: Mapping[str, Tensor | None], allowed: float
) -> list[Drawing]:
    compared = {EXPECTED: expected, YOURS: actual.detach()}
    if expected.is_floating_point():
        difference = actual.detach() - expected
        compared[DIFFERENCE] = difference.masked_fill(difference.abs() <= allowed, 0.0)
    inputs = {name: tensor for name, tensor in given.items() if tensor is not None}
    return [draw(tensors, lead) for tensors in (inputs, compared) if tensors]


_CUT = "the result does not depend on it, or the graph was cut on the way."


def check_gradient(found: Tensor | None, what: str, *, shape: Sequence[int]) -> Tensor:
    """The gradient of `what` arrived, is finite, and is not zero everywhere."""
    if found is None:
        broken(f"no gradient reaches {what}: {_CUT}")
    check_tensor(found, f"the gradient of {what}", shape=shape)
    require(bool(found.any()), f"the gradient of {what} is zero everywhere: it could never learn.")
    return found


def check_gradients(leaves: Mapping[str, Tensor], where: str = "") -> None:
    """Each of `leaves` got a gradient, as in `check_gradient`; those that got none are named together."""
    fixed = [name for name, leaf in leaves.items() if not leaf.requires_grad]
    require(not fixed, f"requires_grad is False for {_some(fixed)}{where}: it could never learn.")
    lacking = [name for name, leaf in leaves.items() if leaf.grad is None]
    require(not lacking, f"no gradient reaches {_some(lacking)}{where}: {_CUT}")
    for name, leaf in leaves.items():
        check_gradient(leaf.grad, f"{name}{where}", shape=leaf.shape)


def _some(names: Sequence[str]) -> str:
    return " and ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def agree_on_gradients(
    leaves: Mapping[str, Tensor], result: Tensor, exact: Tensor, slopes: Tensor, where: str, *, atol: float
) -> None:
    """The leaves got the gradients of `(result * slopes).sum()`: those of `exact`, which the oracle made of them.

    They are only asked to be there where the result itself is another one, which other laws say, and in half precision,
    whose rounding hides that. `atol` is for values of size one.
    """
    check_gradients(leaves, where)
    off, scale = float((result - exact).detach().abs().max()), float(exact.detach().abs().max())
    if result.dtype.itemsize < 4 or off > atol * max(1.0, scale):
        return
    gradients = torch.autograd.grad((exact * slopes).sum(), [*leaves.values()])
    for (name, leaf), expected in zip(leaves.items(), gradients, strict=True):
        agree(leaf.grad, expected, f"the gradient of {name}{where}", atol=atol * max(1.0, float(expected.abs().max())))
