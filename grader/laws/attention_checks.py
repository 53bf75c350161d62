"""Checks of attention in every pair of circumstances: dtypes, leading axes, sizes, masks, who asks for gradients."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from grader.laws.attention import Pair, attend, expected_attention, weights_of
from grader.laws.cases import AttentionCase
from grader.laws.compare import (
    agree,
    agree_on_gradients,
    check_gradients,
    check_tensor,
    in_its_own_sizes,
    require,
    under,
)
from grader.laws.interface import Implementation
from grader.laws.module_checks import backward
from grader.laws.pairwise import pairwise
from grader.laws.tensors import generator

CLOSE = 5e-5
"""Two right ways to compute in float32 differ by less: scores stay below 50, values below 4."""

SAME_SCORES = {torch.float16: 4e-3, torch.bfloat16: 2e-2, torch.float32: 4 * CLOSE, torch.float64: 4 * CLOSE}
"""What rounding may cause between weights that come from the same scores; in outputs 4 times that."""

_HALF_DOTS = 20_000
"""A third of what float16 can hold: whoever divides by sqrt(d_k) only afterwards is right, too."""

_CIRCUMSTANCES: dict[str, Sequence[Any]] = {
    "dtype": tuple(SAME_SCORES),
    "lead": (
        lambda case: case,
        AttentionCase.alone,
        *(partial(AttentionCase.of_rank, axes=axes) for axes in (0, 1, 3)),
    ),
    "sizes": (lambda case: case, lambda case: replace(case, tq=case.tk), lambda case: replace(case, tq=1)),
}
"""What a fault may need to show, for `pairwise`: each of these beside each other, and beside what a law adds."""


def _padding_shape(scores: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a mask for one row of keys per sentence."""
    return (*scores[:1], *[1] * (len(scores) - 2), scores[-1])


_GIVEN = ("qkv", "qkk", "kkk", "kvk")
"""Which of three tensors are given as q, k and v: in self-attention, or over a memory, some are one."""

_ASKING = {"gradients": ((True, ""), (False, ""), (True, "q"), (True, "k"), (True, "v"), (True, "qkv"), (False, "qkv"))}
"""Whether gradients are on, and which inputs ask for one: of the values, that changes nothing."""

_MASK_SHAPES: Sequence[Callable[[tuple[int, ...]], tuple[int, ...]]] = (
    lambda scores: scores[-1:],
    lambda scores: scores[-2:],
    _padding_shape,
    lambda scores: scores,
)
"""Shapes of masks for scores (..., Tq, Tk)."""


def _all_queries_but_one(case: AttentionCase) -> Tensor:
    """A mask (Tq, 1) under which one query sees nothing."""
    return (torch.arange(case.tq) != case.seed % case.tq).unsqueeze(1)


def _dead_masks(case: AttentionCase) -> list[Tensor]:
    """Masks of several shapes under which some query sees nothing."""
    sees = _all_queries_but_one(case)
    shapes = (_padding_shape(case.scores_shape), (*case.lead, 1, case.tk))
    first = (case.mask(shape).index_fill(0, torch.tensor(0), False) for shape in shapes)  # blind in the first sample
    return [sees, sees.expand(case.tq, case.tk), case.mask((case.tq, case.tk)) & sees, *first]


def _thin_masks(case: AttentionCase) -> list[Tensor | None]:
    """No mask, and masks that leave each query a choice, without which it would get no gradient."""
    thin = case.thin_mask()  # (Tq, Tk)
    return [None, thin, thin[0].expand(_padding_shape(case.scores_shape)), thin.expand(case.scores_shape)]


_GRADIENTS_OF = (*((name, "output") for name in "qkv"), ("qk", "weights"))
"""Which inputs ask for a gradient, and of what."""


@in_its_own_sizes
def check_every_result(impl: Implementation, case: AttentionCase) -> None:
    """Without a mask, output and weights are torch's, whatever the circumstances."""
    usual = {"dtype": (torch.float32,)}  # what becomes of others is another law's matter
    for row in pairwise({**_CIRCUMSTANCES, **usual, **_ASKING, "given": _GIVEN}, case.seed):
        q, k, v = _inputs(row, case)
        with torch.set_grad_enabled(row["gradients"][0]), under(_where(row, q)):
            output, weights = attend(impl, q, k, v)
            expected_output, expected_weights = expected_attention(q, k, v)
            agree(weights, expected_weights, "weights", atol=CLOSE, given={"q": q, "k": k})
            agree(output, expected_output, "output", atol=4 * CLOSE, given={"weights": weights, "v": v})


@in_its_own_sizes
def check_every_mask(impl: Implementation, case: AttentionCase) -> None:
    """Masks of every shape do what they should, whatever the circumstances."""
    for row in pairwise({**_CIRCUMSTANCES, **_ASKING, "shape": _MASK_SHAPES, "given": _GIVEN}, case.seed):
        q, k, v = _inputs(row, case)
        mask = case.mask(row["shape"]((*q.shape[:-1], k.size(-2))))
        with torch.set_grad_enabled(row["gradients"][0]), under(_where(row, q)):
            check_masked(attend(impl, q, k, v, mask.clone()), attend(impl, q, k, v), q, v, mask)


def _inputs(row: dict[str, Any], case: AttentionCase) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of which some are one tensor, and some ask for gradients, as a row says."""
    each = row["sizes"](row["lead"](case))
    if row["given"] != "qkv":
        each = replace(each, d_v=each.d_k, tk=each.tk + 3)  # so many keys that no mask is causal by chance
    drawn = dict(zip("qkv", each.qkv(row["dtype"], scale=0.5), strict=True))
    for name in row["gradients"][1]:
        drawn[name].requires_grad_()
    q, k, v = map(drawn.__getitem__, row["given"])
    return q, k, v


def _where(row: dict[str, Any], q: Tensor) -> str:
    enabled, asking = row["gradients"]
    words = f", {' and '.join(asking)} asking for gradients" if asking else ""
    return f"in {q.dtype}{'' if enabled else ' under torch.no_grad()'}{words}"


def check_masked(found: Pair, free: Pair, q: Tensor, v: Tensor, mask: Tensor) -> None:
    """Output and weights under a mask are what those without one become."""
    (output, weights), error = found, SAME_SCORES[q.dtype]
    shares = free[1].detach().double() * mask  # (..., Tq, Tk)
    nothing = "without a mask, some keys have weight 0, where a softmax has a share for each."
    require(bool((shares.sum(-1) > 0).all()), nothing, weights=free[1])
    expected = (shares / shares.sum(-1, keepdim=True)).to(q.dtype)
    what = f"for q {tuple(q.shape)} and a mask {tuple(mask.shape)}"
    named = {"weights without a mask": free[1], "mask": mask}
    agree(weights, expected, f"weights {what}", atol=error, given=named)
    agree(output, expected @ v, f"output {what}", atol=4 * error, given={"weights": weights, "v": v})


@in_its_own_sizes
def check_every_blind_query(impl: Implementation, case: AttentionCase) -> None:
    """A query that sees nothing has zero weights and a zero output, whatever the circumstances."""
    sizes = (*_CIRCUMSTANCES["sizes"], lambda case: replace(case, tk=1))
    for row in pairwise({**_CIRCUMSTANCES, **_ASKING, "sizes": sizes, "mask": range(5)}, case.seed):
        each = row["sizes"](row["lead"](case))
        q, k, v = _inputs(row | {"given": "qkv"}, case)
        mask = _dead_masks(each)[row["mask"]]
        with torch.set_grad_enabled(row["gradients"][0]):
            where = f"under a mask {tuple(mask.shape)} {_where(row, q)}"
            _check_blind(*attend(impl, q, k, v, mask.clone()), mask, where)
    q, k, v, mask = *case.long().qkv(), _dead_masks(case.long())[2]
    _check_blind(*attend(impl, q, k, v, mask), mask, f"under a mask {tuple(mask.shape)}")


@in_its_own_sizes
def check_large_half(impl: Implementation, case: AttentionCase) -> None:
    """In float16 a key whose score is far ahead takes everything, with dot products of nearly all that it can hold."""
    q, k, v = case.qkv()
    factor = (_HALF_DOTS / (q @ k.mT).abs().max()).sqrt()
    q, k, v = ((x * scale).to(torch.float16) for x, scale in ((q, factor), (k, factor), (v, 1)))
    dots = q.double() @ k.double().mT  # (..., Tq, Tk)
    best, weights = dots.topk(2, dim=-1), weights_of(impl, q, k, v)
    ahead = best.values[..., 0] - best.values[..., 1] > 300  # (..., Tq): far more than float16 rounds
    winner = torch.zeros_like(weights).scatter(-1, best.indices[..., :1], 1.0)
    what = f"weights in float16, for dot products of up to {_HALF_DOTS} (a key that is far ahead takes everything)"
    agree(weights[ahead], winner[ahead], what, atol=1e-2)


def _check_blind(output: Tensor, weights: Tensor, mask: Tensor, where: str) -> None:
    alive = mask.any(-1, keepdim=True).expand(*weights.shape[:-1], 1).to(weights.dtype)
    named, error = {"mask": mask, "weights": weights}, SAME_SCORES[weights.dtype]
    agree(weights.sum(-1, keepdim=True), alive, f"weights.sum(-1) {where}", atol=error, given=named)
    dead = output * (1 - alive)
    agree(dead, torch.zeros_like(dead), f"the output of queries that see nothing, {where}", atol=error, given=named)


@in_its_own_sizes
def check_every_blind_gradient(impl: Implementation, case: AttentionCase) -> None:
    """A query that sees nothing spoils no gradient, whatever the circumstances. `case` has more than two keys."""
    usual = {"dtype": torch.float32, "of": case, "blind": 0}
    rows = pairwise({"dtype": tuple(SAME_SCORES), "of": (case, case.of_rank(3)), "blind": range(3)}, case.seed)
    rows += [usual | {"dtype": dtype, "of": case.of_rank(0)} for dtype in (torch.float32, torch.float16)]
    # The usual first, one blind row in float32: what fails there is no fault of other dtypes, masks and axes.
    for row in (usual, *sorted(rows, key=lambda row: (row["dtype"] != torch.float32, row["blind"]))):
        each, dtype = row["of"], row["dtype"]
        padding = torch.ones(_padding_shape(each.scores_shape), dtype=torch.bool)
        padding[0] = False  # the first sample
        nothing = torch.zeros(each.scores_shape, dtype=torch.bool)
        mask = (each.thin_mask() & _all_queries_but_one(each), padding, nothing)[row["blind"]]
        tensors, blocks = _unrounded_inputs(each, dtype), "" if mask.any() else ", which blocks all,"
        where = f" under a mask {tuple(mask.shape)}{blocks} in {dtype}, for q {tuple(tensors['q'].shape)}"
        _check_blind_gradient(impl, tensors, mask, where, case.seed)


def _check_blind_gradient(
    impl: Implementation, tensors: dict[str, Tensor], mask: Tensor, where: str, seed: int
) -> None:
    q, k, v = (tensor.requires_grad_() for tensor in tensors.values())
    output, weights = attend(impl, q, k, v, mask.clone())
    error = SAME_SCORES[q.dtype]
    blocked = weights.masked_fill(mask, 0.0)
    agree(blocked, torch.zeros_like(blocked), f"the weights of blocked keys{where}", atol=0.0, given={"mask": mask})
    _check_blind(output, weights, mask, where.strip())
    agree(output, weights @ v, f"output (weights @ v){where}", atol=4 * error, given={"mask": mask, "weights": weights})
    require(output.requires_grad, f"no gradient reaches q, k and v{where}: the graph was cut on the way.")
    result = torch.cat([output, weights], dim=-1)  # (..., Tq, d_v + Tk)
    slopes = _unrounded(result.shape, seed + 5, q.dtype)
    backward((result * slopes).sum(), where)
    if mask.any():
        check_gradients(tensors, where)
        if q.dtype.itemsize >= 4:
            _check_gradients_beside(impl, tensors, mask, slopes, where)
        return
    for name, tensor in tensors.items():
        if tensor.grad is not None:
            check_tensor(tensor.grad, f"the gradient of {name}{where}", shape=tensor.shape)


def _check_gradients_beside(
    impl: Implementation, tensors: dict[str, Tensor], mask: Tensor, slopes: Tensor, where: str
) -> None:
    """The gradients are the student's own of the queries that see something, as if the others saw all and were not
    asked."""
    sees = mask.any(-1, keepdim=True)  # (..., Tq, 1)
    q, k, v = tensors.values()
    result = torch.cat(attend(impl, q, k, v, mask | ~sees), dim=-1)  # (..., Tq, d_v + Tk)
    gradients = torch.autograd.grad((result * slopes * sees).sum(), (q, k, v))
    for (name, tensor), expected in zip(tensors.items(), gradients, strict=True):
        because = "Expected is what it is if queries that see nothing are not asked."
        agree(tensor.grad, expected, f"the gradient of {name}{where}", atol=1e-3, because=because)


@in_its_own_sizes
def check_every_gradient(impl: Implementation, case: AttentionCase) -> None:
    """Each input that asks for a gradient gets the right one, whatever the circumstances. `case` has over two keys.

    Values are not rounded to eighths here: two of those may be equal or cancel, and a gradient be zero by right.
    """
    for row in pairwise({**_CIRCUMSTANCES, "mask": range(4), "of": _GRADIENTS_OF}, case.seed):
        each = row["sizes"](row["lead"](case))
        _check_gradient(impl, each, row["dtype"], _thin_masks(each)[row["mask"]], row["of"])
    for mask in (None, case.long().thin_mask()):
        _check_gradient(impl, case.long(), torch.float32, mask, ("qkv", "output"))


def _check_gradient(
    impl: Implementation, case: AttentionCase, dtype: torch.dtype, mask: Tensor | None, of: tuple[str, str]
) -> None:
    (names, what), tensors = of, _unrounded_inputs(case, dtype)
    leaves = {name: tensors[name].requires_grad_() for name in names}
    under_mask = "without a mask" if mask is None else f"with a mask {tuple(mask.shape)}"
    where = f" in {dtype}, {under_mask}, from the {what}, for q {tuple(tensors['q'].shape)}"
    inputs = (tensors["q"], tensors["k"], tensors["v"], mask)
    result, exact = (each[what == "weights"] for each in (attend(impl, *inputs), expected_attention(*inputs)))
    require(result.requires_grad, f"no gradient reaches {' and '.join(names)}{where}: the graph was cut.")
    slopes = _unrounded(result.shape, case.seed + 5, dtype)
    backward((result * slopes).sum(), where)
    agree_on_gradients(leaves, result, exact, slopes, where, atol=4 * SAME_SCORES[dtype])


def _unrounded_inputs(case: AttentionCase, dtype: torch.dtype) -> dict[str, Tensor]:
    drawn = (_unrounded(x.shape, case.seed + i, dtype) for i, x in enumerate(case.qkv(dtype)))
    return dict(zip("qkv", drawn, strict=True))


def _unrounded(shape: Sequence[int], seed: int, dtype: torch.dtype) -> Tensor:
    return torch.randn(tuple(shape), generator=generator(seed), dtype=torch.float64).to(dtype)
