"""The laws of exercise 3: MultiHeadAttention, compared with `nn.MultiheadAttention` on its own parameters."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from typing import Any

import pytest
import torch
from hypothesis import strategies as st
from torch import Tensor

from grader.laws.attention import masked
from grader.laws.compare import agree, check_tensor, holds, require
from grader.laws.dropout_checks import DROP
from grader.laws.forall import forall
from grader.laws.heads_checks import (
    check_every_blind_query,
    check_every_circumstance,
    check_every_evaluation,
    check_every_gradient,
    check_every_layout,
    check_every_side_effect,
    check_forgetting,
)
from grader.laws.heads_dropout import check_dropped_weights, check_every_dropout
from grader.laws.interface import Implementation
from grader.laws.model_cases import MASK_KINDS, SPECIAL_SIZES, HeadsCase, attention_shapes, heads_cases
from grader.laws.module_checks import (
    BEHIND_THE_WEIGHTS,
    EXACT,
    agree_with_torch,
    attention,
    backward,
    check_own_work,
    check_parameters,
    check_slope,
    keeps_parameters,
    moves,
    not_constant,
    run,
    same_as,
)
from grader.laws.oracles import Parameters, draw_parameters, linear, named_parameters
from grader.laws.raises import must_raise_value_error, on_meta
from grader.laws.tensors import random_tensor, seeds, tolerance


@pytest.mark.law(
    points=1,
    property="parameters",
    title="Four projections, each with parameters of its own",
    hint="__init__: w_q, w_k, w_v and w_o are four nn.Linear(d_model, d_model, bias=bias), each from its own call.",
)
@forall(max_examples=1, case=heads_cases())
def test_four_projections_of_their_own(impl: Implementation, case: HeadsCase) -> None:
    """The parameters are the weights of w_q, w_k, w_v and w_o, their biases unless `bias` is False, and no others."""
    one_head, large = replace(case, heads=1, d_k=case.d_model), replace(case, heads=20, d_k=4)
    options: tuple[dict[str, Any], ...] = ({}, {"bias": False}, {"dropout": 0.1, "bias": False}, {"dropout": 0.1})
    for each, given in zip((case, case, one_head, large), options, strict=True):
        called = ", ".join([str(each.d_model), str(each.heads), *(f"{name}={value}" for name, value in given.items())])
        built = f"MultiHeadAttention({called})"
        mha, another = (impl.MultiHeadAttention(**each.arguments, **given) for _ in range(2))
        own, other = named_parameters(mha), named_parameters(another)
        check_parameters(own, attention_shapes(each.d_model, bias="bias" not in given), built)
        weights = {name: value.detach() for name, value in own.items() if name.endswith("weight")}
        for name, value in weights.items():
            check_tensor(value, f"{name} of {built}", dtype=torch.float32)
            alike = torch.equal(value, other[name]) or not bool(value.std(0).all() and value.std(1).all())
            words = f"in {built}, `{name}` does not start at random: it is the same in each module, row or column."
            require(not alike, words, **{name: value})
        same = any(torch.equal(a, b) for a, b in combinations(weights.values(), 2))
        require(not same, f"in {built}, two of the four projections start with equal weights.")
        x = each.inputs(torch.float32)[0]
        not_constant(run(mha.eval(), (x, x, x))[0])


@pytest.mark.law(
    points=1,
    property="shape",
    title="The result is a pair of output and weights, of the right shapes",
    hint="the return value: (output, weights), the weights of every head apart, not their mean.",
)
@forall(max_examples=2, case=heads_cases())
def test_output_and_weights_have_their_shapes(impl: Implementation, case: HeadsCase) -> None:
    """The output is (B, Tq, d_model), the weights are (B, H, Tq, Tk), and each query's weights sum to one."""
    query, key, value = case.inputs()
    output, weights = run(attention(impl, case), (query, key, value))
    check_tensor(output, "output", shape=(case.batch, case.tq, case.d_model), dtype=query.dtype)
    shape = (case.batch, case.heads, case.tq, case.tk)
    check_tensor(weights, "weights", shape=shape, dtype=query.dtype)
    require(bool((weights >= 0).all()), "no weight may be negative.", weights=weights)
    agree(weights.sum(-1), torch.ones(shape[:-1], dtype=query.dtype), "weights.sum(-1)", atol=EXACT)
    apart = (weights[:, 1:] - weights[:, :1]).abs().amax(dim=(0, 2, 3))
    require(bool((apart > EXACT).all()), "two heads have the same weights although their projections differ.")


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="Self-attention agrees with nn.MultiheadAttention",
    hint="splitting and joining the heads: head h owns the features h*d_k : (h+1)*d_k of each token; time and heads "
    "must be transposed, not just viewed. No residual belongs here.",
)
@forall(max_examples=2, case=heads_cases())
def test_self_attention_agrees_with_torch(impl: Implementation, case: HeadsCase) -> None:
    """With one tensor as query, key and value, small or large, output and weights are those of torch's operator."""
    x = case.inputs()[0]
    for factor in (1, 100):
        because = f"The inputs are {factor} times as large as usual." if factor > 1 else ""
        atol = EXACT if factor == 1 else 1e-3  # a factor held in float32 is off by that much in scores of thousands
        agree_with_torch(attention(impl, case), case, (factor * x,) * 3, because=because, atol=atol)
    run(attention(impl, case).to(torch.float32), (100 * x.float(),) * 3)  # finite, be the scores as they may


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="Cross-attention agrees with nn.MultiheadAttention",
    hint="the lengths: Tq comes from the query, Tk from the key; w_q projects the query, w_k the key.",
)
@forall(max_examples=2, case=heads_cases())
def test_cross_attention_agrees_with_torch(impl: Implementation, case: HeadsCase) -> None:
    """With one tensor as query and another as key and value, as in a decoder, the result is that of torch."""
    query, memory, _ = case.inputs()
    agree_with_torch(attention(impl, case), case, (query, memory, memory))


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="The values come from `value`, through w_v",
    hint="which argument goes through which projection: w_q(query), w_k(key), w_v(value).",
)
@forall(max_examples=2, case=heads_cases())
def test_query_key_and_value_may_all_differ(impl: Implementation, case: HeadsCase) -> None:
    """With three different tensors the result is that of torch, also when only two of them are equal."""
    query, key, value = case.inputs()
    mha = attention(impl, case)
    agree_with_torch(mha, case, (query, key, value))
    square = replace(case, tk=case.tq)
    a, b, _ = square.inputs()
    agree_with_torch(mha, square, (a, a, b), because="Here query and key are one tensor, and value is another.")
    agree_with_torch(mha, square, (a, b, a), because="Here query and value are one tensor, and key is another.")


@pytest.mark.law(
    points=1,
    property="every size",
    title="Sizes of one, equal sizes and large ones work, in all circumstances",
    hint="any `squeeze`, any special case for one head or one token, any size that is fixed or guessed from another; "
    "and whatever depends on the dtype, the mode or the kind of mask that the message names.",
)
@forall(max_examples=1, seed=seeds)
def test_every_size_works(impl: Implementation, seed: int) -> None:
    """One sample, head, token or feature per head, many of them, or all sizes equal: the result is still torch's, in
    every dtype and mode, under every kind of mask."""
    for i, (special, kinds) in enumerate(SPECIAL_SIZES):
        case = replace(special, seed=seed, bias=i % 2 == 0)
        mha, inputs = attention(impl, case), case.inputs()
        for kind in kinds:
            mask = case.mask(kind) if kind else None
            under = f", under a mask {kind} = {tuple(mask.shape)}" if mask is not None else ""
            agree_with_torch(mha, case, inputs, mask, because=f"Here: {case}{under}.")
    check_every_circumstance(impl, seed)


@pytest.mark.law(
    points=1,
    property="masks",
    title="Every documented shape of mask works",
    hint="the way of the mask to exercise 2: True means 'may attend' (nn.MultiheadAttention reads it the other way "
    "round), and a mask that has an axis for the heads must not get another one.",
)
@forall(max_examples=2, case=heads_cases())
def test_every_shape_of_mask_works(impl: Implementation, case: HeadsCase) -> None:
    """Under a mask of any documented shape, in both modes, a query's weights lie on the keys that it may see."""
    mha, inputs = attention(impl, case, frozen=False), case.inputs()
    _, free = run(mha, inputs)
    check_tensor(free, "weights", shape=(case.batch, case.heads, case.tq, case.tk))
    for kind in MASK_KINDS:
        mask, with_gradients = case.mask(kind), kind != "(B, 1, Tq, Tk)"
        given, shape = {"mask": mask}, f"The mask has shape {kind} = {tuple(mask.shape)}."
        shape += "" if with_gradients else " It is called under torch.no_grad()."
        with torch.set_grad_enabled(with_gradients):
            output, weights = run(mha.eval(), inputs, mask)
        visible = free * mask
        expected = visible / visible.sum(-1, keepdim=True)
        agree(weights, expected, "weights", atol=EXACT, given=given, because=shape)
        if kind == "(B, 1, 1, Tk)":
            query, key, value = (x[:1] for x in inputs)
            alone, _ = run(mha, (query, key[:, mask[0, 0, 0]], value[:, mask[0, 0, 0]]))
            because = f"{shape} Expected is the output when the hidden keys and their values are not there at all."
            agree(output[:1], alone, "output", atol=EXACT, given=given, because=because)
        trained, trained_weights = run(mha.train(), inputs, mask)
        because = f"{shape} Dropout is 0, so training mode should give what eval mode gives."
        agree(trained_weights, expected, "weights in training mode", atol=EXACT, given=given, because=because)
        agree(trained, output, "output in training mode", atol=EXACT, given=given, because=because)
    query, key, value = inputs
    large = (100 * query, 100 * key, 100 * value)
    if holds(agree_with_torch, mha.eval(), case, large, atol=1e-3):
        for kind in MASK_KINDS:
            because = f"The inputs are 100 times as large as usual, and the mask has shape {kind}."
            agree_with_torch(mha, case, large, case.mask(kind), because=because, atol=1e-3)


@pytest.mark.law(
    points=1,
    property="mask causality",
    title="Under a causal mask the future does not matter",
    hint="the mask must reach the attention, and joining the heads must not move features between tokens.",
)
@forall(max_examples=2, case=heads_cases())
def test_the_future_does_not_matter(impl: Implementation, case: HeadsCase) -> None:
    """Under a causal mask, changing token t changes no output before t, and changes the output at t."""
    mha, size = attention(impl, case), case.tq + 1
    x = random_tensor((case.batch, size, case.d_model), case.seed)
    causal = torch.ones(size, size, dtype=torch.bool).tril()
    before, weights_before = run(mha, (x, x, x), causal)
    for t in range(1, size):
        changed = x.clone()
        changed[:, t:] = random_tensor(changed[:, t:].shape, case.seed + t) + 1
        after, weights_after = run(mha, (changed, changed, changed), causal)
        agree(after[:, :t], before[:, :t], f"output before token {t}", atol=EXACT)
        agree(weights_after[:, :, :t], weights_before[:, :, :t], f"weights before token {t}", atol=EXACT)
        require(bool(moves(after, before)[:, t].all()), f"token {t} was changed, but the output at {t} was not.")


@pytest.mark.law(
    points=1,
    property="permutation equivariance",
    title="Shuffling tokens shuffles the result the same way",
    hint="the axes: attention runs over the tokens, not over heads or samples, and knows no order without a mask.",
)
@forall(max_examples=2, case=heads_cases())
def test_shuffling_tokens_shuffles_the_result(impl: Implementation, case: HeadsCase) -> None:
    """Shuffled queries give shuffled outputs, and keys and values shuffled together leave the output as it is."""
    mha, (query, key, value) = attention(impl, case), case.inputs()
    output, weights = run(mha, (query, key, value))
    turned = torch.arange(case.tq).roll(1)
    shuffled, shuffled_weights = run(mha, (query[:, turned], key, value))
    agree(shuffled, output[:, turned], "output of shuffled queries", atol=EXACT)
    agree(shuffled_weights, weights[:, :, turned], "weights of shuffled queries", atol=EXACT)
    require(bool(moves(shuffled, output).any()), "all queries get the same output although they differ.")

    turned = torch.arange(case.tk).roll(1)
    shuffled, shuffled_weights = run(mha, (query, key[:, turned], value[:, turned]))
    agree(shuffled, output, "output after shuffling keys and values", atol=EXACT)
    agree(shuffled_weights, weights[..., turned], "weights after shuffling keys", atol=EXACT)


@pytest.mark.law(
    points=1,
    property="batch independence",
    title="Each sample attends on its own",
    hint="the layout: batch first. The batch must not be one of the two axes that attention mixes.",
)
@forall(max_examples=2, case=heads_cases())
def test_each_sample_attends_on_its_own(impl: Implementation, case: HeadsCase) -> None:
    """A sample gives the same result alone as inside a batch."""
    mha, inputs = attention(impl, case), case.inputs()
    for mask in (None, case.mask("(B, 1, 1, Tk)")):
        with masked(mask):
            output, weights = run(mha, inputs, mask)
            check_tensor(output, "output", shape=(case.batch, case.tq, case.d_model))
            for b in (0, case.batch - 1):
                one = slice(b, b + 1)
                query, key, value = (x[one] for x in inputs)
                alone, alone_weights = run(mha, (query, key, value), None if mask is None else mask[one])
                agree(output[one], alone, f"output of sample {b} in a batch of {case.batch}", atol=EXACT)
                agree(weights[one], alone_weights, f"weights of sample {b} in a batch of {case.batch}", atol=EXACT)
            apart = moves(output[1:], output[:1]).any(dim=-1)
            require(bool(apart.all()), "two samples have the same output although they differ.")


@pytest.mark.law(
    points=1,
    property="fully masked rows",
    title="A query that may see nothing gets zero weights",
    hint="what the softmax of exercise 2 makes of a row without any allowed key. Where the weights are right, what w_o "
    "makes of zeros: its bias, once.",
)
@forall(max_examples=1, case=heads_cases())
def test_query_without_keys_gets_nothing(impl: Implementation, case: HeadsCase) -> None:
    """A query with every key hidden, in one head or in all, has zero weights there, and if it is in all, its output is
    the bias of w_o; the others are as ever, in both modes, and no gradient is destroyed."""
    mha, inputs = attention(impl, case, frozen=False), case.inputs()
    own = Parameters.of(mha)
    bias = linear(own, "w_o", torch.zeros(case.d_model, dtype=torch.float64)).detach()
    values = linear(own, "w_v", inputs[2]).unflatten(-1, (case.heads, case.d_k)).transpose(1, 2)  # (B, H, Tk, d_k)

    def mixed(weights: Tensor) -> Tensor:
        return linear(own, "w_o", (weights @ values).transpose(1, 2).flatten(-2)).detach()  # (B, Tq, d_model)

    for kind, training in zip(MASK_KINDS, (False, False, True, False), strict=True):
        mask = case.mask(kind)
        closed = torch.zeros((*mask.shape[:-1], 1), dtype=torch.bool)
        closed.view(-1)[0] = True  # the first query of the first sample and head, or of those that share the mask
        before, open_weights = run(mha.train(training), inputs, mask)
        output, weights = run(mha, inputs, mask & ~closed)
        given = {"mask": mask & ~closed}
        because = f"The mask has shape {kind} = {tuple(mask.shape)}; its first row allows no key"
        because = f"{because}, and the module is in {'training' if training else 'eval'} mode."
        agree(weights, open_weights.masked_fill(closed, 0.0), "weights", atol=EXACT, given=given, because=because)
        heads = closed.expand((*weights.shape[:-1], 1)).double().mean(dim=1)  # (B, Tq, 1): the share that sees nothing
        right = torch.where(heads == 1, bias, torch.where(heads == 0, before, output))
        if not moves(mixed(open_weights), before).any():  # else other laws say so
            right = mixed(weights)
        agree(output, right, "output", atol=EXACT, given=given, because=f"{because} {BEHIND_THE_WEIGHTS}")
        if output.requires_grad:
            backward(output.square().sum(), ", where a query sees nothing,")
        for name, parameter in mha.named_parameters():
            if parameter.grad is not None:
                check_tensor(parameter.grad, f"the gradient of {name}, where a query sees nothing,")
    check_every_blind_query(impl, case.seed)


@pytest.mark.law(
    points=1,
    property="gradient flow",
    title="The right gradient reaches every input and parameter",
    hint="which projection is really used for what; a `detach`, `.data` or `no_grad` on the way, be it only where "
    "weights are dropped; an operation in place.",
)
@forall(max_examples=1, case=heads_cases())
def test_gradients_reach_everything(impl: Implementation, case: HeadsCase) -> None:
    """In both modes, also if weights are dropped, each input and parameter gets the right gradient, not just zeros."""
    case = replace(case, tk=case.tk + 2)  # a query with a single open key has nothing to choose, and no gradient
    mha, inputs = attention(impl, case, dropout=DROP, frozen=False), case.inputs()
    for x in inputs:
        x.requires_grad_()
    leaves = dict(zip(("query", "key", "value"), inputs, strict=True)) | named_parameters(mha)
    direction = random_tensor((case.batch, case.tq, case.d_model), case.seed + 9)
    for mode, mask in product((True, False), (None, case.mask("(B, 1, Tq, Tk)"))):
        where = f" in {'training' if mode else 'eval'} mode, {'without' if mask is None else 'under'} a mask"
        mha.train(mode)

        def loss(mask: Tensor | None = mask) -> Tensor:
            impl.seed(case.seed)  # so that each call drops the same weights
            output, _ = run(mha, inputs, mask)
            return (check_tensor(output, "output", shape=direction.shape) * direction).sum()

        check_slope(leaves, loss, case.seed, f"{where}, dropout {DROP}" if mode else where)
    check_every_gradient(impl, case.seed)


@pytest.mark.law(
    points=1,
    property="dropout",
    title="In training, dropout acts on the attention weights",
    hint="the place of the dropout: after the softmax and before the values are mixed; not on scores or outputs. And "
    "its rate: a weight is dropped with the probability `dropout`, whatever the sizes, the mask and the dtype.",
)
@forall(max_examples=1, seed=seeds)
def test_dropout_acts_on_the_weights(impl: Implementation, seed: int) -> None:
    """In training each attention weight is either dropped or divided by 1 - dropout, before it mixes the values."""
    case = HeadsCase(batch=100, heads=4, d_k=5, tq=5, tk=5, seed=seed)
    x = case.inputs()[0]
    for drop, inputs, mask, kind in (
        (0.85, case.inputs(), case.square_mask(), "cross-attention under a mask"),
        (0.1, (x, x, x), None, "self-attention without a mask"),
    ):
        mha = attention(impl, case, dropout=drop)
        attention(impl, case)  # another module's rate is not this one's
        check_dropped_weights(mha, case, inputs, mask, drop, f"(dropout {drop}, {kind}, training mode)")
    check_every_dropout(impl, seed)


@pytest.mark.law(
    points=1,
    property="dropout",
    title="In eval mode, and by default, nothing is dropped",
    hint="dropout has to follow the module's mode: nn.Dropout does, F.dropout only when it is told self.training.",
)
@forall(max_examples=1, case=heads_cases())
def test_nothing_is_dropped_in_eval_mode(impl: Implementation, case: HeadsCase) -> None:
    """In eval mode, or when no dropout was asked for, the result is that of a module without dropout, each time."""
    mha = attention(impl, case, dropout=0.5)
    default = impl.MultiHeadAttention(**case.arguments, bias=case.bias).to(torch.float64)
    draw_parameters(default, case.seed, gain=1.5)
    x, hiding = case.inputs()[0], case.square_mask()
    run(mha.train(), (x, x, x))  # which a call in eval mode does not remember
    mha.eval()
    for module, mask, where in (
        (mha, None, "in eval mode, with dropout 0.5"),
        (mha, hiding, "in eval mode under a mask, with dropout 0.5"),
        (default, None, "in training mode, when no dropout was given"),
    ):
        expected, expected_weights = run(attention(impl, case), (x, x, x), mask)
        not_constant(expected)
        output, weights = run(module, (x, x, x), mask)
        agree(weights, expected_weights, f"weights {where}", atol=EXACT, given={"mask": mask})
        agree(output, expected, f"output {where}", atol=EXACT, given={"mask": mask})
    check_every_evaluation(impl, case.seed)


@pytest.mark.law(
    points=1,
    property="errors",
    title="Features that the heads cannot share raise ValueError",
    hint="a check in __init__, by `raise ValueError(...)`: an assert is another exception, and can be switched off.",
)
@forall(max_examples=3, heads=st.integers(2, 5), d_k=st.integers(1, 4), rest=st.integers(1, 4))
def test_indivisible_features_raise(impl: Implementation, heads: int, d_k: int, rest: int) -> None:
    """`d_model % num_heads != 0` raises ValueError; with a multiple the module works."""
    wrong = heads * d_k + 1 + rest % (heads - 1)
    for d_model in (wrong, heads - 1):
        call = f"MultiHeadAttention(d_model={d_model}, num_heads={heads})"
        must_raise_value_error(partial(impl.MultiHeadAttention, d_model=d_model, num_heads=heads), call)
    for d_model, many in ((20, 8), (100, 12)):
        call = f"MultiHeadAttention(d_model={d_model}, num_heads={many})"
        must_raise_value_error(partial(impl.MultiHeadAttention, d_model=d_model, num_heads=many), call)
    case = HeadsCase(batch=2, heads=heads, d_k=d_k, tq=3, tk=3, seed=heads)
    x = case.inputs()[0]
    output, _ = run(attention(impl, case), (x, x, x))
    check_tensor(output, "output", shape=x.shape)
    not_constant(output)


@pytest.mark.law(
    points=1,
    property="dtype and device",
    title="Half precisions and other devices work",
    hint="tensors made inside forward: they have to take their dtype and their device from the inputs.",
)
@forall(max_examples=1, case=heads_cases())
def test_dtype_and_device_of_the_inputs(impl: Implementation, case: HeadsCase) -> None:
    """A module in half precision gives half-precision results near the exact ones, one on "meta" stays there, in
    training mode, too."""
    masks = (None, torch.ones(case.tq, case.tq, dtype=torch.bool).tril(), case.square_mask())
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        mha, x = attention(impl, case).to(dtype), case.inputs(dtype)[0]
        results = [run(mha, (x, x, x), mask) for mask in masks]
        mha = mha.to(torch.float64)
        for mask, (output, weights) in zip(masks, results, strict=True):
            with masked(mask):
                exact, exact_weights = run(mha, (x.double(),) * 3, mask)
                where, allowed = f"in {dtype}", tolerance(dtype, scale=float(exact.detach().abs().max()))
                agree(weights, exact_weights.to(dtype), f"weights {where}", atol=allowed, given={"mask": mask})
                agree(output, exact.to(dtype), f"output {where}", atol=allowed, given={"mask": mask})
                not_constant(output)

    dropping = attention(impl, case, dropout=0.5).train()
    for dtype in (torch.float16, torch.bfloat16):
        output, _ = run(dropping.to(dtype), (case.inputs(dtype)[0],) * 3)
        check_tensor(output, f"output in training mode in {dtype}", shape=output.shape, dtype=dtype)
    x, mask = case.inputs(torch.bfloat16)[0].to("meta"), case.square_mask().to("meta")
    for module, far in ((attention(impl, case).to(torch.bfloat16), None), (dropping, mask)):
        meta = module.to("meta")
        call = partial(run, meta, (x, x, x), far)
        result = on_meta(call, f"the forward pass in {'training' if meta.training else 'eval'} mode")
        if result is not None:
            check_tensor(result[0], "output", shape=(case.batch, case.tq, case.d_model), device="meta")
            check_tensor(result[1], "weights", shape=(case.batch, case.heads, case.tq, case.tq), device="meta")


@pytest.mark.law(
    points=1,
    property="memory layout",
    title="Inputs that are not contiguous work",
    hint="`view` needs one block of memory; `reshape`, `flatten` and `unflatten` do not.",
)
@forall(max_examples=1, seed=seeds)
def test_any_memory_layout_works(impl: Implementation, seed: int) -> None:
    """Transposed and repeated inputs and masks give the same result as the same values in one block of memory."""
    check_every_layout(impl, seed)


@pytest.mark.law(
    points=1,
    property="side effects",
    title="Inputs, global settings and the next call are left alone",
    hint="operations ending in `_`, on inputs or on parameters, global settings, and results kept on `self` from one "
    "call to the next.",
)
@forall(max_examples=1, case=heads_cases())
def test_nothing_is_left_behind(impl: Implementation, case: HeadsCase) -> None:
    """A call changes neither inputs nor parameters nor a global setting, and a later call does not remember it."""
    mha, x, mask = attention(impl, case), case.inputs()[0], case.square_mask()
    impl.renew()
    impl.seed(12345)  # not what a module would seed with
    with impl.observe() as building:
        dropping = attention(impl, case, dropout=0.5).train()
    attention(impl, replace(case, heads=case.heads + 1))  # nothing of another module is to be remembered either
    with keeps_parameters(dropping, "a call in training mode"), impl.observe(x, mask) as training:
        output, _ = run(dropping, (x, x, x), mask)
    not_constant(output)
    memory = random_tensor(x.shape, case.seed + 6)
    blind = mask.index_fill(2, torch.tensor(0), False)
    written = set()
    for hiding in (mask, blind, mask[0, 0], mask[:, :, :1]):
        with keeps_parameters(mha, "a call in eval mode"), impl.observe(x, memory, hiding) as seen, suppress(Exception):
            output, _ = run(mha, (x, memory, memory), hiding)  # if it fails, another law says so
        written |= {("the query", "the key and value", "the mask")[i] for i in seen.changed_inputs}
    not_constant(output)
    run(mha, (x, memory, memory))  # neither the memory nor a mask (T, T) is to be remembered
    run(mha, (x, x, x), mask[0, 0])
    written |= {("the input", "the mask")[i] for i in training.changed_inputs}
    require(not written, f"forward wrote into {' and '.join(sorted(written))}.")
    # New parameters and dropout are random: they may draw numbers, but not seed.
    for what, observed in (("building a module", building), ("a call in training mode", training)):
        require(not observed.changed_settings, f"after {what}, {'; '.join(observed.changed_settings)}.")
    require(not seen.changed_globals, f"after a call in eval mode, {'; '.join(seen.changed_globals)}.")
    check_every_side_effect(impl, case.seed)

    other = random_tensor(x.shape, case.seed + 5)
    run(mha, (other, other, other))
    other.mul_(-1)
    told = "The input was changed in place since the call before."
    same_as(attention(impl, case), mha, (other, other, other), mask[0, 0].roll(1, 0), told)
    draw_parameters(mha, case.seed + 2, gain=1.5)
    told = "The parameters were changed since the call before."
    for inputs in ((other, other, other), (x, memory, memory)):
        same_as(attention(impl, case, seed=2), mha, inputs, None, told)
    check_forgetting(impl, case.seed)


@pytest.mark.law(
    points=1,
    property="state",
    title="The state of one module can be loaded into another",
    hint="everything that is learned has to be a parameter of the module; nothing may be made anew in forward.",
)
@forall(max_examples=1, case=heads_cases())
def test_state_can_be_loaded_into_another(impl: Implementation, case: HeadsCase) -> None:
    """Two modules differ until one loads the `state_dict` of the other; then they agree."""
    first, second = attention(impl, case), attention(impl, case, seed=5)
    inputs = (case.inputs()[0],) * 3
    expected, expected_weights = run(first, inputs)
    before, _ = run(second, inputs)
    require(bool(moves(before, expected).any()), "modules with different parameters give one result.")
    second.load_state_dict(first.state_dict())
    output, weights = run(second, inputs)
    agree(output, expected, "output after load_state_dict", atol=EXACT)
    agree(weights, expected_weights, "weights after load_state_dict", atol=EXACT)
    attention(impl, case).load_state_dict(first.state_dict())  # into one that never ran


@pytest.mark.law(
    points=1,
    property="own work",
    title="Attention is written by hand",
    hint="the line that is named: it does the exercise for you. Use exercise 2 instead.",
)
@forall(max_examples=1, case=heads_cases())
def test_attention_is_your_own_work(impl: Implementation, case: HeadsCase) -> None:
    """None of torch's ready-made attentions is used, neither when the code runs nor anywhere in the file."""
    mha, x = attention(impl, case), case.inputs()[0]
    with impl.observe(x):
        output, _ = run(mha, (x, x, x))
    check_own_work(impl)
    check_tensor(output, "output", shape=x.shape)
    not_constant(output)
