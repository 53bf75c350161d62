"""Attention as the laws of exercise 2 see it: torch's own as the oracle, and the student's, checked for its shape."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import NoReturn

import torch
from torch import Tensor
from torch.nn import functional as F

from grader.laws.compare import called, check_pair, check_tensor, require, under
from grader.laws.drawing import draw, worst_slice
from grader.laws.errors import LawBroken
from grader.laws.interface import Implementation

Inputs = tuple[Tensor, Tensor, Tensor, Tensor | None]
"""Queries, keys, values, and a mask or none."""

Pair = tuple[Tensor, Tensor]
"""Output (..., Tq, d_v) and weights (..., Tq, Tk)."""


def expected_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """`(output, weights)` of `F.scaled_dot_product_attention`, computed in float64, in the dtype of `v`.

    Differentiable in all three. The weights are the output for the unit vectors as values. A query without any key gets
    zeros, as in the contract (torch's versions differ there).
    """
    wide_q, wide_k, wide_v = (tensor.to(torch.float64) for tensor in (q, k, v))
    shape = (*q.shape[:-1], k.shape[-2])
    allowed = torch.ones(shape, dtype=torch.bool) if mask is None else mask.expand(shape)  # (..., Tq, Tk)
    alive = allowed.any(dim=-1, keepdim=True)  # (..., Tq, 1)
    usable = allowed | ~alive
    units = torch.eye(k.shape[-2], dtype=torch.float64).expand(*k.shape[:-1], k.shape[-2])  # (..., Tk, Tk)
    output = F.scaled_dot_product_attention(wide_q, wide_k, wide_v, attn_mask=usable) * alive
    weights = F.scaled_dot_product_attention(wide_q, wide_k, units, attn_mask=usable) * alive
    return output.to(v.dtype), weights.to(v.dtype)


def masked(mask: Tensor | None) -> AbstractContextManager[None]:
    """What fails inside is told to have been under a mask, if it was."""
    return nullcontext() if mask is None else under("with a mask")


def weights_of(impl: Implementation, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """The student's weights: finite, of the right shape and dtype."""
    return _checked_weights(_called(impl, q, k, v, mask), q, k, mask)


def weights_of_each(impl: Implementation, inputs: Sequence[Inputs]) -> Iterator[Tensor]:
    """What `weights_of` gives for each of several inputs, under the conditions of `attend_each`."""
    for (q, k, _, mask), result in zip(inputs, _called_with_each(impl, inputs), strict=True):
        yield _checked_weights(result, q, k, mask)


def attend(impl: Implementation, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Pair:
    """The student's `(output, weights)`, two finite tensors of the right shape and dtype."""
    return _checked(_called(impl, q, k, v, mask), q, k, v, mask)


def attend_each(impl: Implementation, inputs: Sequence[Inputs]) -> Iterator[Pair]:
    """What `attend` gives for each of several inputs, none of which asks for a gradient, in one trip to the student's
    code. That is a trip with the time of one call: long inputs are better taken alone."""
    for (q, k, v, mask), result in zip(inputs, _called_with_each(impl, inputs), strict=True):
        yield _checked(result, q, k, v, mask)


def _called(impl: Implementation, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> object:
    under_mask = "no mask" if mask is None else f"a mask {tuple(mask.shape)}"
    with called(f"with q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)} and {under_mask}, in {q.dtype}"):
        return impl.scaled_dot_product_attention(q, k, v, mask=mask)


def _called_with_each(impl: Implementation, inputs: Sequence[Inputs]) -> list[object]:
    try:
        return impl.each("scaled_dot_product_attention", [((q, k, v), {"mask": mask}) for q, k, v, mask in inputs])
    except Exception:
        return [_called(impl, *each) for each in inputs]  # one by one, to say which of them fails


def _checked(result: object, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Pair:
    weights = _checked_weights(result, q, k, mask)
    output, _ = check_pair(result, "the result")
    check_tensor(output, "output", shape=(*q.shape[:-1], v.shape[-1]), dtype=q.dtype, device="cpu")
    return output, weights


def _checked_weights(result: object, q: Tensor, k: Tensor, mask: Tensor | None) -> Tensor:
    _, weights = check_pair(result, f"the result of scaled_dot_product_attention for q {tuple(q.shape)}")
    shape = (*q.shape[:-1], k.shape[-2])
    check_tensor(weights, "weights", shape=shape, dtype=q.dtype, device="cpu", finite=mask is None)
    if mask is not None and not weights.isfinite().all():
        _tell_of_nan(weights.detach(), mask)
    return weights


def _tell_of_nan(weights: Tensor, mask: Tensor) -> NoReturn:
    """Fail with what kind of query has NaN or infinity among its weights: the causes are not the same."""
    seeing = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)  # (..., Tq, Tk)
    if seeing.isfinite().all():
        shown, message = weights, "the weights of a query whose keys are all blocked are NaN or infinite."
    else:
        shown, message = seeing, "the weights of a query that may attend to some key are NaN or infinite. A softmax by "
        message += "hand has to subtract the largest score of each row from it, not that of the whole tensor."
    lead = worst_slice(shown, torch.zeros_like(shown))
    raise LawBroken(message, [draw({"mask": mask, "weights (yours)": weights}, lead)], actual=weights)


def check_attends(output: Tensor, weights: Tensor, q: Tensor, k: Tensor, v: Tensor) -> None:
    """What any attention without a mask does, whatever its scale: it prefers the keys that match.

    Keeps laws of invariance from being passed by a constant.
    """
    check_tensor(output, "the output", shape=(*q.shape[:-1], v.shape[-1]), dtype=v.dtype)
    check_tensor(weights, "the weights", shape=(*q.shape[:-1], k.shape[-2]), dtype=v.dtype)
    require(bool(output.any()), "the output is zero everywhere.")
    scores = q @ k.transpose(-2, -1)  # (..., Tq, Tk)
    best, worst = scores.argmax(-1, keepdim=True), scores.argmin(-1, keepdim=True)  # (..., Tq, 1)
    gaps = scores.gather(-1, best) - scores.gather(-1, worst)
    preference = weights.gather(-1, best) - weights.gather(-1, worst)
    require(
        bool(preference.flatten()[gaps.argmax()] > 0),
        "a key that matches the query better should have a larger weight than one that matches worse.",
        scores=scores,
        weights=weights,
    )
