"""The laws of exercise 2: two masks, and attention that obeys them."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest
import torch
from hypothesis import strategies as st
from torch import Tensor

from grader.laws.attention import (
    attend,
    attend_each,
    check_attends,
    expected_attention,
    masked,
    weights_of,
    weights_of_each,
)
from grader.laws.attention_checks import (
    CLOSE,
    check_every_blind_gradient,
    check_every_blind_query,
    check_every_gradient,
    check_every_mask,
    check_every_result,
    check_large_half,
    check_masked,
)
from grader.laws.cases import AttentionCase, attention_cases, open_mask
from grader.laws.compare import agree, check_pair, check_tensor, require
from grader.laws.forall import forall
from grader.laws.interface import Implementation
from grader.laws.module_checks import check_slope
from grader.laws.own_work import shortcuts_in_source
from grader.laws.raises import on_meta
from grader.laws.tensors import Layout, random_ids, random_tensor, seeds

DTYPE_ERROR = {torch.float16: 2e-2, torch.bfloat16: 1.2e-1, torch.float64: CLOSE}
"""What rounding may cause in weights, beside those in float32, if the scores are computed in the dtype of the inputs;
in outputs 4 times that."""


def own_causal_mask(impl: Implementation, size: int) -> Tensor:
    """The student's causal mask, a boolean square."""
    mask = impl.causal_mask(size=size)
    return check_tensor(mask, f"causal_mask({size})", shape=(size, size), dtype=torch.bool, device="cpu")


def tokens_with_padding(keep: Tensor, pad_id: int, seed: int) -> Tensor:
    """Token ids (B, T): `pad_id` where `keep` is False, elsewhere another id of ten up to it or up to 9 (0 too, if not
    PAD), or one whose last byte is that of `pad_id`."""
    low = max(0, pad_id - 9)
    ids = random_ids(keep.shape, seed, low=low, high=low + 10)
    return torch.where(keep, ids + 256 * (ids == pad_id), pad_id)


@pytest.mark.law(
    points=2,
    property="agreement",
    title="Without a mask: as torch's own attention",
    hint="softmax(Q K^T / sqrt(d_k)) V, step by step: k transposed in its last two axes only, d_k the last size of q, "
    "softmax over the keys, the weights times v. Returned are the output and the weights, in this order.",
)
@forall(case=attention_cases(), max_examples=1)
def test_attention_agrees_with_torch(impl: Implementation, case: AttentionCase) -> None:
    """For any number of leading axes, sizes of one, equal sizes and long sequences, and if one tensor is given twice,
    output and weights are those of torch's own attention."""
    ranks = (*(case.of_rank(axes) for axes in (0, 1, 2, 3)), replace(case, lead=(1,)))
    special = (*case.with_ones(), *case.with_equals(), case.wide())
    x, y, z = case.with_equals()[-1].qkv()
    inputs = [*(each.qkv() for each in (*ranks, *special, case.square())), (x, x, x), (x, y, y), (x, x, z)]
    long = case.long().qkv()
    found = [*attend_each(impl, [(*each, None) for each in inputs]), attend(impl, *long)]
    for (q, k, v), (output, weights) in zip((*inputs, long), found, strict=True):
        expected_output, expected_weights = expected_attention(q, k, v)
        sizes = f"for q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}"
        agree(weights, expected_weights, f"weights {sizes}", atol=CLOSE, given={"q": q, "k": k})
        agree(output, expected_output, f"output {sizes}", atol=4 * CLOSE, given={"weights": weights, "v": v})
    check_every_result(impl, case)


@pytest.mark.law(
    points=1,
    property="memory layout",
    title="Any memory layout of the inputs works",
    hint="`view`: it refuses tensors that are not contiguous. `reshape`, `transpose` and `@` take them all.",
)
@forall(case=attention_cases(), max_examples=1)
def test_any_memory_layout_works(impl: Implementation, case: AttentionCase) -> None:
    """Inputs whose memory is transposed or repeated give the same as contiguous copies of them."""

    def dense(x: Tensor) -> Tensor:
        return x.contiguous().clone()

    for each in (case, case.of_rank(0)):
        q, k, v = each.qkv()
        mask = each.mask((each.tq, each.tk)).t().contiguous().t().expand(each.scores_shape)
        layouts: tuple[Layout, ...] = ("transposed", "expanded")
        strided = [(*each.qkv(layout=layout), mask) for layout in layouts]
        copied = ((dense(q), dense(k), dense(v), dense(mask)) for q, k, v, mask in strided)
        free, *found = attend_each(impl, [(q, k, v, None), *strided, *copied])
        check_attends(*free, q, k, v)
        for layout, (output, weights), expected in zip(layouts, found[:2], found[2:], strict=True):
            agree(weights, expected[1], f"weights for {layout} inputs", atol=4 * CLOSE)
            agree(output, expected[0], f"output for {layout} inputs", atol=4 * CLOSE)


@pytest.mark.law(
    points=1,
    property="softmax rows",
    title="Every row of the weights sums to one",
    hint="the softmax: it runs over the keys (dim=-1), and after the masking, so that blocked keys have no share in "
    "its denominator. Weights are what comes out of it, not the scores.",
)
@forall(case=attention_cases(), max_examples=2)
def test_rows_of_weights_sum_to_one(impl: Implementation, case: AttentionCase) -> None:
    """For every query, the weights over the keys are not negative and sum to one, with a mask and without, and the
    output is the average of the values with these weights."""
    q, k, v = case.qkv()
    masks = (None, case.mask(), case.mask((case.tq, case.tk)))
    found = attend_each(impl, [(q, k, v, mask) for mask in masks])
    for mask in masks:
        with masked(mask):
            output, weights = next(found)
            if mask is None:
                check_attends(output, weights, q, k, v)
            named = {"weights": weights, "mask": mask}
            require(bool((weights >= 0).all()), "some weights are negative.", weights=weights)
            sums = weights.sum(-1, keepdim=True)
            agree(sums, torch.ones_like(sums), "weights.sum(-1)", atol=4 * CLOSE, given=named)
            named = {"weights": weights, "v": v}
            agree(output, weights @ v, "output (weights @ v)", atol=4 * CLOSE, given=named)


@pytest.mark.law(
    points=1,
    property="scale",
    title="Scores are divided by sqrt(d_k)",
    hint="the factor: divide by the square root of q.size(-1), the width of queries and keys, not of the values.",
)
@forall(case=attention_cases(), max_examples=2)
def test_scores_are_divided_by_the_root_of_d_k(impl: Implementation, case: AttentionCase) -> None:
    """The logarithm of the ratio of two weights of a query is the difference of their dot products, divided by the
    square root of d_k."""
    cases = (case, case.of_rank(0), case.of_rank(1))
    inputs = [each.qkv(scale=0.5) for each in cases]
    found = weights_of_each(impl, [(q, k, v, None) for q, k, v in inputs])
    for each, (q, k, _), weights in zip(cases, inputs, found, strict=True):
        require(bool((weights > 0).all()), "without a mask every weight should be positive.", weights=weights)
        dots = q @ k.transpose(-2, -1)  # (..., Tq, Tk)
        expected = (dots - dots[..., :1]) / each.d_k**0.5
        logs = weights.log() - weights[..., :1].log()
        what = f"log(weights / weights of key 0) for d_k = {each.d_k}, d_v = {each.d_v}"
        agree(logs, expected, what, atol=1e-3, given={"q": q, "k": k})


@pytest.mark.law(
    points=2,
    property="mask causality",
    title="Nothing that comes later changes what came before",
    hint="causal_mask and what a mask means: it is boolean, True means 'may attend', on the diagonal too; and blocked "
    "scores are filled before the softmax: nothing is added to them.",
)
@forall(case=attention_cases(), max_examples=3)
def test_the_future_changes_nothing(impl: Implementation, case: AttentionCase) -> None:
    """Under your own causal mask, outputs and weights up to position t stay the same whatever stands behind t, and
    position t sees itself."""
    q, k, v = case.square().qkv()
    mask = own_causal_mask(impl, case.tq)
    output, weights = attend(impl, q, k, v, mask)
    first = "output at position 0, which sees only its own value"
    agree(output[..., :1, :], v[..., :1, :], first, atol=4 * CLOSE, given={f"causal_mask({case.tq})": mask})

    def changed(x: Tensor, t: int) -> Tensor:
        return torch.where(torch.arange(case.tq).unsqueeze(1) > t, 2 - x, x)  # (..., T, features)

    later = [(changed(q, t), changed(k, t), changed(v, t), mask) for t in range(case.tq - 1)]
    for t, after in enumerate(attend_each(impl, later)):
        what = f"at positions up to {t}, after a change of all later ones"
        for name, new, old in (("weights", after[1], weights), ("output", after[0], output)):
            agree(new[..., : t + 1, :], old[..., : t + 1, :], f"{name} {what}", atol=4 * CLOSE, given={"mask": mask})
        require(not torch.equal(after[0], output), f"a change of all positions behind {t} had no effect at all.")


@pytest.mark.law(
    points=1,
    property="padding invariance",
    title="Padded keys might as well not be there",
    hint="padding_mask (True at real tokens, shape (B, 1, 1, T)), and blocked scores that are filled before the "
    "softmax.",
)
@forall(case=attention_cases(), pad_id=st.sampled_from((0, 1, 7)), max_examples=2)
def test_padding_is_as_good_as_deleted(impl: Implementation, case: AttentionCase, pad_id: int) -> None:
    """Under your own padding mask each sentence gets the same output and weights as with its padded keys deleted."""
    q, k, v = case.qkv()
    check_attends(*attend(impl, q, k, v), q, k, v)
    keep = open_mask((case.lead[0], case.tk), case.seed)
    tokens = tokens_with_padding(keep, pad_id, case.seed)
    mask = impl.padding_mask(tokens, pad_id=pad_id)
    check_tensor(mask, "padding_mask(tokens, pad_id)", shape=(*tokens.shape[:1], 1, 1, case.tk), dtype=torch.bool)
    output, weights = attend(impl, q, k, v, mask)
    given: dict[str, Tensor | None] = {"tokens": tokens, "mask": mask}
    found = attend_each(impl, [(q[b], k[b][:, real], v[b][:, real], None) for b, real in enumerate(keep)])
    for b, (real, (short_output, short_weights)) in enumerate(zip(keep, found, strict=True)):
        what = f"weights of sentence {b} at real keys"
        agree(weights[b][..., real], short_weights, what, atol=4 * CLOSE, given=given)
        agree(output[b], short_output, f"output of sentence {b}", atol=4 * CLOSE, given=given)


@pytest.mark.law(
    points=1,
    property="permutation equivariance",
    title="The order of keys and of queries has no meaning",
    hint="anything that depends on a position: attention itself knows none. Each value belongs to the key of the same "
    "index.",
)
@forall(case=attention_cases(), shift=st.integers(1, 4), max_examples=1)
def test_order_has_no_meaning(impl: Implementation, case: AttentionCase, shift: int) -> None:
    """Moving keys and their values around moves the weights and leaves the output; moving queries moves the rows of
    both; and sentences and heads do not mix."""
    q, k, v = case.qkv()
    for mask in (None, case.mask()):
        with masked(mask):
            rolled = [tensor.roll(shift, -2) for tensor in (q, k, v)]
            inputs = (
                (q, k, v, mask),
                (q, rolled[1], rolled[2], None if mask is None else mask.roll(shift, -1)),
                (rolled[0], k, v, None if mask is None else mask.roll(shift, -2)),
                (q[1:, :1], k[1:, :1], v[1:, :1], None if mask is None else mask[1:, :1]),
            )
            (output, weights), by_key, by_query, alone = attend_each(impl, inputs)
            if mask is None:
                check_attends(output, weights, q, k, v)
            agree(by_key[0], output, f"output with the keys moved by {shift}", atol=4 * CLOSE)
            agree(by_key[1], weights.roll(shift, -1), f"weights with the keys moved by {shift}", atol=4 * CLOSE)
            agree(by_query[0], output.roll(shift, -2), f"output with the queries moved by {shift}", atol=4 * CLOSE)
            agree(alone[0], output[1:, :1], "output of some sentences and heads alone", atol=4 * CLOSE)


@pytest.mark.law(
    points=1,
    property="mask broadcasting",
    title="Masks of every shape that broadcasts work",
    hint="True means 'may attend'. A mask is broadcast against the scores (..., Tq, Tk) from the right: no reshape of "
    "yours is needed; and it acts before the softmax.",
)
@forall(case=attention_cases(), max_examples=1)
def test_masks_of_every_shape_work(impl: Implementation, case: AttentionCase) -> None:
    """Whatever shape of mask broadcasts to (..., Tq, Tk): the weights are those without a mask where it is True, scaled
    up to a sum of one, and 0 elsewhere."""
    long, equal = case.long(), case.with_equals()[-1]
    for each, shapes in ((case, case.mask_shapes()), (equal, [equal.scores_shape[1:]])):
        q, k, v = each.qkv() if each is not equal else equal.qkv()[:1] * 3  # that is, self-attention
        masks = [each.mask(shape) for shape in shapes]
        free, *found = attend_each(impl, [(q, k, v, mask) for mask in (None, *masks)])
        check_attends(*free, q, k, v)
        for pair, mask in zip(found, masks, strict=True):
            check_masked(pair, free, q, v, mask)
    q, k, v = long.qkv()
    free = attend(impl, q, k, v)
    late = torch.arange(long.tk) >= long.tk - 20  # whoever goes through the keys in blocks sees nothing at first
    for mask in (long.mask((long.tq, long.tk)), long.mask((1, 1, 1, long.tk)), late, late.repeat(long.tq, 1)):
        check_masked(attend(impl, q, k, v, mask), free, q, v, mask)
    check_every_mask(impl, case)


@pytest.mark.law(
    points=1,
    property="blocked keys",
    title="A blocked key has a weight of exactly zero",
    hint="True means 'may attend'. What the blocked scores are filled with: real scores may lie below any fixed number "
    "such as -1e4 or -1e9; -inf or the lowest number of the dtype is below all.",
)
@forall(case=attention_cases(), max_examples=1)
def test_a_blocked_key_has_weight_zero(impl: Implementation, case: AttentionCase) -> None:
    """Where the mask is False the weight is exactly 0, even if all allowed keys have hugely negative scores."""
    q, k, v = case.qkv()
    mask = case.mask()
    weights = weights_of(impl, q, k, v, mask)
    blocked = weights.masked_fill(mask, 0.0)
    agree(blocked, torch.zeros_like(blocked), "the weights of blocked keys", atol=0.0, given={"mask": mask})
    only = (torch.arange(case.lead[0]) + case.seed).remainder(case.tk).reshape(-1, 1, 1, 1)
    each = torch.arange(case.tk) == only  # (B, 1, 1, Tk): one key is allowed
    masks = (each, each.expand(case.scores_shape), each[0, 0].expand(case.tq, case.tk))
    wide = (1e3, 1e5, 1e7, 1e10, 1e12, 1e20)
    scales = {torch.float32: wide, torch.float64: wide, torch.float16: (1e4,), torch.bfloat16: (1e10, 1e20)}
    for dtype, sizes in scales.items():
        q = torch.full((*case.lead, case.tq, case.d_k), -1.0, dtype=dtype)
        keys = [
            mask[..., :1, :].mT.to(dtype).expand(*case.lead, case.tk, case.d_k) for mask in masks
        ]  # (B, H, Tk, d_k)
        tried = [(size, k, mask) for k, mask in zip(keys, masks, strict=True) for size in sizes]
        found = weights_of_each(impl, [(size * q, k, v.to(dtype), mask) for size, k, mask in tried])
        for (size, _, mask), weights in zip(tried, found, strict=True):
            score = f"{-size * case.d_k**0.5:.1g} in {dtype}"
            what = f"the allowed key with score {score}, all blocked ones with 0, mask {tuple(mask.shape)}: weights"
            agree(weights, mask.to(dtype).expand_as(weights), what, atol=1e-5, given={"mask": mask})


@pytest.mark.law(
    points=1,
    property="fully masked rows",
    title="A query that sees nothing gets zeros and harms nobody",
    hint="rows without any allowed key: a softmax over -inf alone is NaN, and repairing it afterwards leaves NaN in "
    "the gradient; over equal finite numbers it is uniform. Fill with a finite number and set the weights to 0.",
)
@forall(case=attention_cases(), max_examples=1)
def test_a_fully_masked_query_gets_zeros(impl: Implementation, case: AttentionCase) -> None:
    """A query whose keys are all blocked gets zero weights and a zero output, the others are served as usual, and
    all gradients stay finite."""
    case = case.roomy()
    check_every_blind_gradient(impl, case)
    check_every_blind_query(impl, case)
    sees = case.mask((case.tq, case.tk)).index_fill(0, torch.tensor(case.seed % case.tq), False)
    for dtype in (torch.float16, torch.bfloat16):
        q, k, v = case.qkv(dtype)
        weights = weights_of(impl, -8 * q.abs(), 8 * k.abs(), v, sees)
        alive = sees.any(-1, keepdim=True).expand(*case.scores_shape[:-1], 1).to(dtype)
        what = f"weights.sum(-1) in {dtype}, where all scores are far below zero,"
        # Scores of a hundred are rounded by a tenth in half precision; what matters is that none is infinite.
        agree(weights.sum(-1, keepdim=True), alive, what, atol=0.3, given={"mask": sees})


@pytest.mark.law(
    points=1,
    property="large scores",
    title="Large scores do not overflow",
    hint="a softmax by hand: subtract the maximum of each row (over the keys, not of the whole tensor) before exp. "
    "torch.softmax does.",
)
@forall(case=attention_cases(), max_examples=1)
def test_large_scores_do_not_overflow(impl: Implementation, case: AttentionCase) -> None:
    """Scores of thousands give finite weights; adding thousands to all scores of a query changes none of its weights,
    wherever the scores of other queries, heads and sentences lie; and float16 can do it too."""
    for dtype in (torch.float32, torch.float64):
        q, k, v = case.qkv(dtype, scale=256.0)
        output, weights = attend(impl, q, k, v)
        agree(output, weights @ v, "output (weights @ v)", atol=1e-3, given={"weights": weights, "v": v})
        dots = q @ k.transpose(-2, -1)  # (..., Tq, Tk)
        best = dots.topk(2, dim=-1)
        ahead = best.values[..., 0] - best.values[..., 1] > 24  # (..., Tq)
        winner = torch.zeros_like(weights).scatter(-1, best.indices[..., :1], 1.0)
        what = "weights (a key whose score is far ahead takes everything)"
        agree(weights[ahead], winner[ahead], what, atol=1e-2)

        q, k, v = case.qkv(dtype)
        q[..., 0], k[..., 0] = 0.0, 1.0  # the first feature shifts all scores of a query alike
        for mask in (None, case.mask()):
            with masked(mask):
                output, expected = attend(impl, q, k, v, mask)
                if mask is None:
                    check_attends(output, expected, q, k, v)
                moved = [q.clone() for _ in q.shape[:-1]]
                for axis, new in enumerate(moved):
                    signs = 1.0 - 2.0 * (torch.arange(q.shape[axis]) % 2)
                    new[..., 0] = 3000.0 * signs.reshape([-1 if i == axis else 1 for i in range(q.dim() - 1)])
                for axis, weights in enumerate(weights_of_each(impl, [(new, k, v, mask) for new in moved])):
                    what = f"weights, scores shifted up at every second index of axis {axis} and down at the others,"
                    agree(weights, expected, what, atol=1e-2)
    q, k = (tensor[..., :1].sign().repeat_interleave(4, -1).to(torch.float16) for tensor in (q, k))
    q[..., 0], k[..., 0] = 0.0, 1.0
    shifted = q.clone()
    shifted[..., 0] = 200.0  # scores of about 100, whose exp is more than float16 can hold
    expected = weights_of(impl, q, k, v.to(torch.float16))
    agree(weights_of(impl, shifted, k, v.to(torch.float16)), expected, "weights for float16 scores of 100", atol=1e-1)
    weights_of(impl, *(tensor.to(torch.bfloat16) for tensor in (shifted, k, v)))  # finite: it rounds too much for more
    check_large_half(impl, case)


@pytest.mark.law(
    points=1,
    property="gradient flow",
    title="Gradients reach queries, keys and values, and are right",
    hint="`detach`, `.data`, `torch.no_grad()`, `torch.tensor(...)` of a tensor, numpy or in-place work: whatever cuts "
    "or falsifies the graph.",
)
@forall(case=attention_cases(), max_examples=1)
def test_gradients_flow_and_are_right(impl: Implementation, case: AttentionCase) -> None:
    """Queries, keys and values all get a gradient, and it is the derivative of the output (checked numerically, in
    float64)."""
    case = case.roomy()
    direction = random_tensor((*case.lead, case.tq, case.d_v), case.seed + 5)
    q, k, v = (tensor.requires_grad_() for tensor in case.qkv(torch.float64, scale=0.5))
    for mask in (None, case.thin_mask()):

        def loss(mask: Tensor | None = mask) -> Tensor:
            return (attend(impl, q, k, v, mask)[0] * direction).sum()

        check_slope({"q": q, "k": k, "v": v}, loss, case.seed, "" if mask is None else " with a mask")
    x = case.with_equals()[-1].qkv(torch.float64, scale=0.5)[0].requires_grad_()
    for mask in (None, case.square().thin_mask()):
        where = f" if q, k and v are one tensor x{'' if mask is None else ', with a mask'}"
        check_slope({"x": x}, lambda mask=mask: attend(impl, x, x, x, mask)[0].pow(2).sum(), case.seed, where)  # type: ignore[misc]
    check_every_gradient(impl, case)


@pytest.mark.law(
    points=1,
    property="dtype",
    title="float16, bfloat16, float32 and float64 all work",
    hint="constants that a half precision cannot hold (float16 ends at 65,504), helpers made in float32, and results "
    "computed in float32 that are not converted back.",
)
@forall(case=attention_cases(), max_examples=1)
def test_every_floating_dtype_works(impl: Implementation, case: AttentionCase) -> None:
    """Output and weights have the dtype of the inputs, and the right values within its precision, with a mask and
    without."""
    q, k, v = case.qkv(scale=0.5)
    for mask in (None, case.mask()):
        with masked(mask):
            dtypes = (torch.float32, *DTYPE_ERROR)
            found = attend_each(impl, [(q.to(dtype), k.to(dtype), v.to(dtype), mask) for dtype in dtypes])
            expected_output, expected_weights = next(found)
            if mask is None:
                check_attends(expected_output, expected_weights, q, k, v)
            for (dtype, error), (output, weights) in zip(DTYPE_ERROR.items(), found, strict=True):
                agree(weights, expected_weights.to(dtype), f"weights in {dtype} beside float32's", atol=error)
                agree(output, expected_output.to(dtype), f"output in {dtype} beside float32's", atol=4 * error)


@pytest.mark.law(
    points=1,
    property="side effects",
    title="A call leaves nothing behind",
    hint="methods whose name ends in `_` and `+=`, which write into the caller's tensors; global settings; results "
    "kept for the next call.",
)
def test_a_call_leaves_nothing_behind(impl: Implementation) -> None:
    """No call writes into its inputs or changes a global setting, and a call does not depend on those before it."""
    case = AttentionCase((2, 3), tq=5, tk=4, d_k=3, d_v=6, seed=5)  # one try: a global setting changes only once
    q, k, v = case.qkv()
    mask = (torch.arange(case.tq).unsqueeze(1) + torch.arange(case.tk)) % 4 < 2  # two of each query's keys are open
    blind = mask.index_fill(0, torch.tensor(1), False)  # query 1 sees nothing
    further = (blind, *map(case.mask, ((2, 1, 1, 4), (2, 3, 1, 4), case.scores_shape)))
    others = [(*case.qkv(dtype), mask.clone()) for dtype in (torch.float64, torch.float16, torch.bfloat16)]
    others += [(*each.qkv(), each.mask()) for each in (replace(case, tk=1), *map(case.of_rank, (0, 1, 3)))]
    tokens = random_ids((case.lead[0], case.tk), case.seed, low=0, high=3)
    watched = [("q", q), ("k", k), ("v", v), ("mask", mask), ("the token ids", tokens)]
    watched += [(f"a mask {tuple(another.shape)}", another) for another in further]
    for each in others:
        where = f"in {each[0].dtype}, for q {tuple(each[0].shape)}"
        watched += [(f"{name} {where}", x) for name, x in zip(("q", "k", "v", "mask"), each, strict=True)]
    impl.renew()
    impl.seed(20_170_612)  # a seed that no submission sets by chance
    with impl.observe(*(tensor for _, tensor in watched)) as seen:
        result = impl.scaled_dot_product_attention(q, k, v, mask=mask)
        for another in further:
            impl.scaled_dot_product_attention(q, k, v, mask=another)
        with torch.no_grad():
            impl.scaled_dot_product_attention(q, k, v)
        for *inputs, its_mask in others:
            with suppress(Exception):  # if a dtype or a size does not work, another law says so
                impl.scaled_dot_product_attention(*inputs, mask=its_mask)
        impl.padding_mask(tokens, pad_id=2)
        impl.causal_mask(size=case.tq)
    written = [watched[i][0] for i in seen.changed_inputs]
    require(not written, f"the call wrote into {' and '.join(written)}.")
    require(not seen.changed_globals, "; ".join(seen.changed_globals) + ".")
    output, weights = (
        check_tensor(part, what).detach().clone()
        for part, what in zip(check_pair(result, "the result"), ("output", "weights"), strict=True)
    )
    check_attends(*attend(impl, q, k, v), q, k, v)

    with torch.no_grad():
        result[1].zero_()  # the results are the caller's, who may overwrite them
        for tensor, new in zip((q, k, v), replace(case, seed=6).qkv(), strict=True):
            tensor.copy_(new)
    other = attend(impl, q, k, v, mask)
    same = torch.equal(other[1], weights) or torch.equal(other[0], output)
    require(not same, "new values in the same tensors gave the result of the old values.")
    again = attend(impl, *case.qkv(), mask)
    agree(again[1], weights, "weights of the first call, called again", atol=4 * CLOSE)
    agree(again[0], output, "output of the first call, called again", atol=4 * CLOSE)


@pytest.mark.law(
    points=1,
    property="device",
    title="Everything happens on the device of the inputs",
    hint="tensors made inside, such as torch.zeros(...): they need device=q.device, or they stay on the CPU while the "
    "inputs are on a GPU.",
)
@forall(case=attention_cases(), max_examples=1)
def test_results_are_on_the_device_of_the_inputs(impl: Implementation, case: AttentionCase) -> None:
    """With inputs on another device (here torch's `meta`), output, weights and padding mask are there too."""
    q, k, v = case.qkv(torch.float32)
    check_attends(*attend(impl, q, k, v), q, k, v)
    far = [tensor.to("meta") for tensor in (q, k, v)]
    for mask in (None, case.mask(), case.mask((case.lead[0], 1, 1, case.tk))):
        with masked(mask):
            far_mask = None if mask is None else mask.to("meta")
            call = partial(impl.scaled_dot_product_attention, *far, mask=far_mask)
            result = on_meta(call, "scaled_dot_product_attention")
            if result is not None:
                output, weights = check_pair(result, "the result")
                check_tensor(output, "output", shape=(*q.shape[:-1], case.d_v), dtype=q.dtype, device="meta")
                check_tensor(weights, "weights", shape=case.scores_shape, dtype=q.dtype, device="meta")
    tokens = torch.zeros((case.lead[0], case.tk), dtype=torch.int64, device="meta")
    padding = on_meta(lambda: impl.padding_mask(tokens, pad_id=0), "padding_mask")
    if padding is not None:
        check_tensor(padding, "padding_mask(tokens)", device="meta")


@pytest.mark.law(
    points=1,
    property="causal mask",
    title="causal_mask is True on and below the diagonal",
    hint="the triangle, as large as `size` asks, without a limit: rows are queries, columns are keys, True means 'may "
    "attend', and a query sees itself.",
)
def test_the_causal_mask_is_a_lower_triangle(impl: Implementation) -> None:
    """causal_mask(size) is boolean, and query t may attend to key s exactly if s <= t."""
    for size in (1, 2, 3, 4, 7, 8, 64, 2049):
        positions = torch.arange(size)
        agree(own_causal_mask(impl, size), positions <= positions.unsqueeze(1), f"causal_mask({size})")


@pytest.mark.law(
    points=1,
    property="padding mask",
    title="padding_mask is True at real tokens, whatever the pad id",
    hint="the comparison with pad_id (not with 0, and of the ids as they are: a cast makes some equal), its direction "
    "(True means 'may attend'), and the two axes of size one between batch and time, for sentences of one token too.",
)
@forall(seed=seeds, max_examples=1)
def test_the_padding_mask_is_true_at_real_tokens(impl: Implementation, seed: int) -> None:
    """padding_mask(tokens, pad_id) is boolean of shape (B, 1, 1, T), and False exactly where the token is pad_id."""
    tried, calls = [], []
    shapes = {
        0: (1, 1),
        1: (3, 2),
        2: (2, 3),
        3: (2, 1),
        4: (3, 3),
        6: (1, 5),
        9: (5, 130),
        50256: (2, 3),
        -100: (2, 3),
    }
    shapes[2**24 + 1] = (3, 40)  # which float32 does not hold
    for pad_id, shape in [(0, (2, 3)), *shapes.items()]:
        full = torch.ones(shape, dtype=torch.bool)
        gapped = (torch.arange(full.numel()) % 2 == 0).view(shape)  # padding between real tokens, and in front of them
        for keep in (open_mask(shape, seed), gapped, full, ~full):
            tokens = tokens_with_padding(keep, pad_id, seed)
            ids = tokens.t().contiguous().t() if pad_id else tokens  # one memory layout or the other
            ids = ids.to(torch.int32) if pad_id == 2 else ids
            calls.append(((ids,), {"pad_id": pad_id}))
            tried.append((pad_id, tokens, keep[:, None, None, :]))
    masks = impl.each("padding_mask", calls)
    found = [(*each, mask) for each, mask in zip(tried, masks, strict=True)]
    off = {pad_id for pad_id, _, right, mask in found if not (isinstance(mask, Tensor) and torch.equal(mask, right))}
    because = (
        f"Of the pad ids {', '.join(map(str, shapes))} (2 in int32), it is off for {', '.join(map(str, sorted(off)))}."
    )
    for pad_id, tokens, right, mask in found:
        agree(
            mask,
            right,
            f"padding_mask(tokens {tuple(tokens.shape)}, pad_id={pad_id})",
            given={"tokens": tokens},
            because=because,
        )


@pytest.mark.law(
    points=1,
    property="own work",
    title="The attention is your own",
    hint="F.scaled_dot_product_attention, nn.MultiheadAttention and nn.Transformer*: use them to check your work, not "
    "to do it.",
)
@forall(case=attention_cases(), max_examples=1)
def test_the_work_is_your_own(impl: Implementation, case: AttentionCase) -> None:
    """The attention is computed from matrix products and a softmax, not by calling the library's own."""
    q, k, v = case.qkv()
    with impl.observe() as _:
        plain = impl.scaled_dot_product_attention(q, k, v)
        impl.scaled_dot_product_attention(q, k, v, mask=case.mask())
    check_attends(*check_pair(plain, "the result"), q, k, v)
    used = [f"{name} (line {line})" for line, name in shortcuts_in_source(impl.source)] or sorted(impl.library_calls)
    require(not used, f"the file uses {', '.join(used)}.")
