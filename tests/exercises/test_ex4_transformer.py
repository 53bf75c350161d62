"""The laws of exercise 4: layers and stacks against torch's own, and greedy decoding against the model itself."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from grader.laws import oracles
from grader.laws.compare import agree, broken, check_tensor, in_its_own_sizes, require
from grader.laws.decoding import (
    LENGTH,
    SOS_ID,
    UNUSED_ID,
    check_greedy,
    check_special_ids,
    ended,
    fill_up,
    scene,
    scene_seeds,
    telling_end,
)
from grader.laws.dropout_checks import (
    DROP,
    STACKS,
    check_all_dropped,
    check_choices,
    check_each_sublayer,
    check_embeddings,
    check_fresh_draws,
    check_parts,
    check_what_sublayers_read,
    embedded_case,
    silence,
)
from grader.laws.forall import forall
from grader.laws.interface import Implementation, Observation
from grader.laws.model_cases import LayerCase, ModelCase, layer_cases, layer_shapes, model_cases, model_shapes
from grader.laws.model_checks import (
    BY_PARTS,
    by_parts,
    check_every_blind_query,
    check_every_dropout,
    check_every_gradient,
    check_every_half,
    check_every_join,
    check_every_padding,
    check_every_result,
    check_every_side_effect,
    check_forgetting,
    check_long_and_deep,
)
from grader.laws.model_table import METHODS, PARTS
from grader.laws.module_checks import (
    CLOSE,
    EXACT,
    LOOSE,
    NEARLY_ONE,
    NORMS,
    check_own_work,
    check_parameters,
    check_slope,
    keeps_parameters,
    layer,
    moves,
    norms_only,
    not_constant,
    transformer,
)
from grader.laws.oracles import Parameters, draw_parameters, named_parameters
from grader.laws.raises import must_raise_value_error, on_meta
from grader.laws.tensors import random_tensor, seeds

MANY = 50
"""Tokens of a source, to write about as many."""


def _other(id: int, vocabulary: int, pad_id: int) -> int:
    """Another id that is not `pad_id`."""
    return next(other for other in ((id + 1) % vocabulary, (id + 2) % vocabulary) if other != pad_id)


def _gap(now: Tensor, then: Tensor) -> Tensor:
    """How far logits (..., T, V) are off at each position (..., T)."""
    return (now - then).detach().abs().amax(-1)


def _positions(found: list[int]) -> str:
    return f"position{'s' if len(found) > 1 else ''} {', '.join(map(str, found))}"


def _not_xavier(weight: Tensor) -> str:
    """What is wrong with a weight (fan_out, fan_in) that should start Xavier-uniform; empty if nothing is."""
    bound = math.sqrt(6 / sum(weight.shape))
    largest, spread = float(weight.abs().max()), float(weight.std()) / (bound / math.sqrt(3))
    if largest > bound * 1.0001:
        return f"reaches {largest:.3g}, but its bound is {bound:.3g}"
    if largest < bound * 0.95:
        return f"only reaches {largest:.3g}, but should come near {bound:.3g}"
    if not 0.85 < spread < 1.15:
        return f"is not uniform up to ±{bound:.3g}: its spread is {spread:.2f} of that"
    return ""


def _check_inputs(seen: Observation, names: Sequence[str], what: str) -> None:
    written = " and ".join(names[i] for i in seen.changed_inputs)
    require(not written, f"{what} wrote into its argument {written}.")


def _check_settings(seen: Observation, what: str) -> None:
    """Nothing was set or seeded. Random numbers may be drawn."""
    require(not seen.changed_settings, f"after {what}, {'; '.join(seen.changed_settings)}.")


@pytest.mark.law(
    points=1,
    property="feed-forward",
    title="FeedForward is fc2(dropout(relu(fc1(x))))",
    hint="FeedForward.forward: the ReLU stands between the two maps, and the dropout right behind it. Without the "
    "argument `dropout` nothing is dropped.",
)
@forall(max_examples=2, case=layer_cases())
def test_feed_forward_follows_its_formula(impl: Implementation, case: LayerCase) -> None:
    """FeedForward is linear, ReLU, linear; in training mode, only what comes out of the ReLU is dropped or scaled."""
    for d_model, d_ff in ((case.d_model, case.d_ff), (1, 1)):
        ffn = impl.FeedForward(d_model=d_model, d_ff=d_ff).to(torch.float64)
        draw_parameters(ffn, case.seed)
        own, x = Parameters.of(ffn), random_tensor((case.batch, case.length, d_model), case.seed, layout="transposed")
        x[-1] *= 50  # no activation is only right as long as its input is small
        hidden = F.linear(x, own["fc1.weight"], own["fc1.bias"]).relu()  # (B, T, d_ff)
        expected = F.linear(hidden, own["fc2.weight"], own["fc2.bias"])  # (B, T, d_model)
        what = f"FeedForward({d_model}, {d_ff})(x) in training mode, without dropout"
        agree(ffn(x), expected, what, atol=EXACT)

    width = 8
    ffn = impl.FeedForward(d_model=width, d_ff=width, dropout=DROP).to(torch.float64)
    draw_parameters(ffn, case.seed)
    with torch.no_grad():
        ffn.fc2.weight.copy_(torch.eye(width))
    own, x = Parameters.of(ffn), random_tensor((4, 10, width), case.seed)
    hidden = F.linear(x, own["fc1.weight"], own["fc1.bias"]).relu().detach()  # (4, 10, width)
    shift = own["fc2.bias"].detach()
    agree(ffn.eval()(x), hidden + shift, f"FeedForward(x) in eval mode, built with dropout {DROP}", atol=EXACT)
    dropped = check_tensor(ffn.train()(x), "FeedForward(x)", shape=x.shape).detach() - shift
    kept = dropped.abs() > EXACT
    what = f"fc2's input in training mode, dropout {DROP}"
    because = "Expected are the entries that were kept, times 1 / (1 - dropout), and zeros elsewhere."
    agree(dropped, kept * hidden / (1 - DROP), what, atol=EXACT, because=because)
    check_choices(kept, hidden > EXACT, "the dropout in FeedForward")
    require(not torch.equal(ffn(x) - shift, dropped), "the dropout in FeedForward: two calls drop the same entries.")
    check_every_result(impl, "FeedForward", case.seed)
    check_every_dropout(impl, "FeedForward", case.seed)


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="EncoderLayer agrees with nn.TransformerEncoderLayer",
    hint="EncoderLayer.forward: norm1(x + attention), then norm2(that + ffn of that); the mask, of whatever shape, "
    "goes to the attention, in training mode too.",
)
@forall(max_examples=1, case=layer_cases())
def test_encoder_layer_agrees_with_torch(impl: Implementation, case: LayerCase) -> None:
    """With the same parameters an EncoderLayer gives what torch's post-norm layer gives, with and without a mask."""
    module, x = layer(impl, "EncoderLayer", case), case.x()
    own, shared = Parameters.of(module), case.shared_mask()
    agree(module(x), oracles.encoder_layer(own, case.heads, x), "EncoderLayer(x)", atol=LOOSE)
    expected = oracles.encoder_layer(own, case.heads, x, shared)
    what = "EncoderLayer(x, mask) in training mode, built without `dropout`"
    agree(module.train()(x, mask=shared), expected, what, atol=LOOSE, given={"mask": shared})
    check_every_result(impl, "EncoderLayer", case.seed)
    check_every_blind_query(impl, "EncoderLayer", case.seed)


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="DecoderLayer agrees with nn.TransformerDecoderLayer",
    hint="DecoderLayer.forward: self-attention under tgt_mask; cross-attention with queries from x, keys and values "
    "from the memory, under memory_mask; feed-forward. Each has its own norm. Masks of whatever shape are passed on, "
    "in training mode too.",
)
@forall(max_examples=1, case=layer_cases())
def test_decoder_layer_agrees_with_torch(impl: Implementation, case: LayerCase) -> None:
    """With the same parameters a DecoderLayer gives what torch's post-norm layer gives, with and without masks."""
    module, x, memory = layer(impl, "DecoderLayer", case), case.x(), case.memory_tensor()
    own, target, source = Parameters.of(module), case.mask(case.length), case.mask(case.memory)
    for masks in ({}, {"tgt_mask": target}, {"memory_mask": source}):
        what = f"DecoderLayer(x, memory{''.join(f', {name}' for name in masks)})"
        what += " in training mode, built without `dropout`" if masks else ""
        expected = oracles.decoder_layer(own, case.heads, x, memory, **masks)
        agree(module.train(bool(masks))(x, memory, **masks), expected, what, atol=LOOSE, given=masks)
    check_every_result(impl, "DecoderLayer", case.seed)
    check_every_blind_query(impl, "DecoderLayer", case.seed)


@pytest.mark.law(
    points=1,
    property="residual path",
    title="Sublayers that give zero leave only the norms",
    hint="each sublayer is norm(x + sublayer(x)): the input is added to what the sublayer made of it, and the norm, "
    "over the features of each token, comes last.",
)
@forall(max_examples=1, case=layer_cases())
def test_zero_sublayers_leave_the_norms(impl: Implementation, case: LayerCase) -> None:
    """A layer whose sublayers all give zero is norm after norm of its input; else the last norm still comes last."""
    x, memory = case.x(), case.memory_tensor()
    for kind, norms in NORMS.items():
        module = layer(impl, kind, case)
        inputs = (x,) if kind == "EncoderLayer" else (x, memory)
        own = Parameters.of(module)
        full = check_tensor(module(*inputs), f"{kind}(x)", shape=x.shape)
        normal = (full - own[f"{norms[-1]}.bias"]) / own[f"{norms[-1]}.weight"]
        agree(normal.mean(-1), torch.zeros(x.shape[:-1]).double(), f"{kind}(x): mean of each token", atol=LOOSE)
        spread = normal.var(-1, unbiased=False)
        agree(spread, torch.ones(x.shape[:-1]).double(), f"{kind}(x): variance of each token", atol=0.01)
        silence(module)
        agree(module(*inputs), norms_only(own, kind, x), f"{kind}(x) with sublayers that give zero", atol=LOOSE)


@pytest.mark.law(
    points=1,
    property="dropout",
    title="Dropout acts on every sublayer, in training only",
    hint="norm(x + dropout(sublayer(x))): the dropout is on what is added to x, at each of the places. The layers pass "
    "it on to their attentions and their feed-forward network, and Transformer to every layer and to the positions, "
    "where the embeddings are dropped once.",
)
@forall(max_examples=1, seed=seeds)
def test_dropout_acts_on_every_sublayer(impl: Implementation, seed: int) -> None:
    """Each entry of each sublayer's result and of the embeddings is dropped or scaled by itself, in every layer."""
    case = LayerCase(batch=4, heads=2, d_k=3, d_ff=5, length=8, memory=3, seed=seed)
    x = case.x()
    for kind in NORMS:
        module = layer(impl, kind, case, dropout=DROP).train()
        check_parts({"": module}, kind, x, f"{kind}(..., dropout={DROP})")
        check_each_sublayer(module, kind, case)
        single = LayerCase(batch=64, heads=2, d_k=3, d_ff=12, length=1, memory=1, seed=seed)
        check_what_sublayers_read(layer(impl, kind, single, dropout=DROP), kind, single)
    embedded = embedded_case(seed)
    some, whole = transformer(impl, embedded).train(), transformer(impl, replace(embedded, dropout=NEARLY_ONE)).train()
    for kind, stack in STACKS.items():
        layers = [f"{stack}.{number}" for number in range(3)]
        built = f"Transformer(..., dropout={DROP})"
        check_parts({f".{name}": some.get_submodule(name) for name in layers}, kind, x, built)
        inputs = (x, case.memory_tensor())[: len(NORMS[kind]) - 1]
        for name in layers:
            expected = norms_only(Parameters.of(whole).below(name), kind, x)
            what = f"what `model.{name}` gives in training mode when all is dropped"
            agree(whole.get_submodule(name)(*inputs), expected, what, atol=LOOSE)
            check_all_dropped(whole.get_submodule(name), kind, x, f"model.{name}")
    check_embeddings(some, embedded)
    check_fresh_draws(some, embedded)
    for kind in (*NORMS, "encode", "decode"):
        check_every_dropout(impl, kind, seed)


@pytest.mark.law(
    points=1,
    property="parameters",
    title="Every part has its name, its size and parameters of its own",
    hint="__init__: the names of the parts, one object for each use of a part, the two depths and vocabularies; "
    "no norm after the stacks, no tied weights, and the table of positions is not a parameter.",
)
@forall(max_examples=1, case=model_cases((2, 3), (3, 2)))
def test_every_part_has_its_parameters(impl: Implementation, case: ModelCase) -> None:
    """Layers and model have the parameters of their parts, each of its own, and nothing else."""
    sizes = {"d_model": case.d_model, "num_heads": case.heads, "d_ff": case.d_ff}
    for kind in ("EncoderLayer", "DecoderLayer"):
        wanted = layer_shapes(case.d_model, case.d_ff, decoder=kind == "DecoderLayer")
        check_parameters(named_parameters(getattr(impl, kind)(**sizes)), wanted, f"{kind}{tuple(sizes.values())}")
    equal = replace(case, src_vocab=case.tgt_vocab, encoders=1, decoders=1)  # which invites sharing
    for each in (equal, case):
        model, given = impl.Transformer(**each.arguments), each.arguments.items()
        call = ", ".join(f"{name}={value}" for name, value in given if "num" in name or "vocab" in name)
        check_parameters(named_parameters(model), model_shapes(each), f"Transformer({call}, ...)")
    require("position" in dict(model.named_modules()), "the model has no part `position`.")
    for name in ("d_model", "pad_id"):
        value, right = getattr(model, name, None), case.arguments[name]
        require(value == right, f"model.{name} should be {right}, but it is {value}.")


@pytest.mark.law(
    points=1,
    property="initialisation",
    title="Every weight starts Xavier-uniform, from a draw of its own",
    hint="nn.init.xavier_uniform_ on every parameter of two or more dimensions, embeddings too, after all parts "
    "exist, and on no other: norms keep weight 1 and bias 0. Layers are built by a call each, not copied. Nothing is "
    "seeded on the way.",
)
@forall(max_examples=1, seed=seeds)
def test_weights_start_xavier_uniform(impl: Implementation, seed: int) -> None:
    """Each weight fills the range ±sqrt(6 / (fan_in + fan_out)) evenly, no two weights start equal, and norms start
    with weight 1 and bias 0."""
    case = ModelCase(1, 1, 1, 3, 8, 2, 3, 0, 0, src_vocab=31, tgt_vocab=37, d_ff=40, max_len=5)
    impl.seed(20170612 + seed)
    with impl.observe() as seen:
        inviting = replace(case, tgt_vocab=case.src_vocab)  # to copy one embedding to the other
        models = [named_parameters(impl.Transformer(**each.arguments)) for each in (case, inviting)]
    weights = {name: value.detach() for name, value in models[0].items() if value.dim() > 1}
    require(len(weights) > 1, "the model has no weights of two dimensions.")
    off = {name: fault for name, weight in weights.items() if (fault := _not_xavier(weight))}
    for name, fault in off.items():
        others = f" So {len(off)} of {len(weights)} weights are not Xavier-uniform: {', '.join(off)}."
        broken(f"`{name}` {fault}.{others if len(off) > 1 else ''}", **{f"{name}, its first row": weights[name][:1]})
    for name, value in models[0].items():
        part, _, kind = name.rpartition(".")
        if "norm" in part:
            right = torch.full_like(value, 1.0 if kind == "weight" else 0.0)
            agree(value.detach(), right, f"`{name}` of a new model")
    named = list(weights.items()) + [(f"{name} of a second model", models[1][name].detach()) for name in weights]
    for i, (name, weight) in enumerate(named):
        alike = [(other, before) for other, before in named[:i] if before.shape == weight.shape]
        equal = [other for other, before in alike if torch.allclose(before, weight, rtol=0, atol=1e-3)]
        require(not equal, f"`{name}` starts equal to `{equal[0] if equal else ''}`.")
    _check_settings(seen, "building two models")


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="encode is the scaled, positioned embedding through all encoder layers",
    hint="encode: embedding times sqrt(d_model), then the positions (which add themselves), then each layer on the "
    "result of the layer before, all under the same mask.",
)
@forall(max_examples=1, case=model_cases((3, 1)))
def test_encode_agrees_with_torch(impl: Implementation, case: ModelCase) -> None:
    """The memory is what a stack of torch's layers makes of the scaled embeddings plus positions."""
    model, src = transformer(impl, case), case.src()
    own, (ids, mask) = Parameters.of(model), case.half_hidden_src()
    for each, what in ((src, "encode(src)"), (ids, "encode(src), src with padding, which no mask hides,")):
        agree(model.encode(each), oracles.encode(own, case.heads, each), what, atol=LOOSE, given={"src": each})
    expected = oracles.encode(own, case.heads, ids, mask)
    what = "encode(src, src_mask), src with padding, some of which the mask shows,"
    agree(model.encode(ids, src_mask=mask), expected, what, atol=LOOSE, given={"mask": mask})
    check_every_result(impl, "encode", case.seed)
    check_every_blind_query(impl, "encode", case.seed)
    check_long_and_deep(impl, "encode", case.seed)


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="decode is the target's embedding through all decoder layers",
    hint="decode: the target's own embedding, scaled and positioned as in encode; every layer gets the same memory "
    "and both masks; the projection to the vocabulary is not part of it.",
)
@forall(max_examples=1, case=model_cases((1, 3)))
def test_decode_agrees_with_torch(impl: Implementation, case: ModelCase) -> None:
    """The decoder's output is what a stack of torch's layers makes of target and memory, under each mask given."""
    equal = replace(case, encoders=2, decoders=2, src_len=case.tgt_len, src_vocab=case.tgt_vocab)
    for sizes, because in ((case, ""), (equal, "Both sides have the same length, vocabulary and depth here.")):
        model, memory = (
            transformer(impl, sizes),
            random_tensor((case.batch, sizes.src_len, case.d_model), case.seed + 2),
        )
        masks = {"tgt_mask": case.mask(case.tgt_len, case.tgt_len), "memory_mask": case.mask(1, sizes.src_len)}
        for names, padded in (((), False), ((), True), (("tgt_mask",), False), (("memory_mask",), False)):
            tgt, given = case.tgt(padded=padded), {name: masks[name] for name in names}
            expected = oracles.decode(Parameters.of(model), case.heads, tgt, memory, **given)
            what = f"decode(tgt, memory{''.join(f', {name}' for name in names)})"
            what += ", tgt with padding, which no mask hides," if padded else ""
            actual = model.decode(tgt, memory, **given)
            agree(actual, expected, what, atol=LOOSE, given=given or {"tgt": tgt}, because=because)
    check_every_result(impl, "decode", case.seed)
    check_every_blind_query(impl, "decode", case.seed)
    check_long_and_deep(impl, "decode", case.seed)


@pytest.mark.law(
    points=1,
    property="logits",
    title="forward projects what decode makes of encode",
    hint="forward: the causal mask (combined by AND with the padding mask), the whole target beside the memory, then "
    "out_proj, and nothing behind it: no softmax, no shift.",
)
@forall(max_examples=1, case=model_cases())
def test_forward_joins_the_parts(impl: Implementation, case: ModelCase) -> None:
    """Without padding, forward is out_proj of decode under a causal mask, beside the memory from encode, and drops
    nothing but what they drop."""
    model, src, tgt = transformer(impl, case), case.src(), case.tgt()
    logits = check_tensor(model(src, tgt), "model(src, tgt)", shape=(*tgt.shape, case.tgt_vocab))
    expected = by_parts(model, case.pad_id, src, tgt)
    agree(logits, expected, "model(src, tgt)", atol=CLOSE, given={"src": src, "tgt": tgt}, because=BY_PARTS)
    check_every_join(impl, case.seed)
    check_long_and_deep(impl, "forward", case.seed)


@pytest.mark.law(
    points=1,
    property="mask causality",
    title="Logits do not depend on later target tokens, but on all source tokens",
    hint="forward's masks: the target's is causal mask AND padding mask, in training mode too; the source's is the "
    "padding mask only.",
)
@forall(max_examples=1, case=model_cases())
def test_logits_do_not_see_the_future(impl: Implementation, case: ModelCase) -> None:
    """Changing target token t changes the logits at t and none before; changing the last source token changes all."""
    model, length = transformer(impl, case, dtype=torch.float32), case.tgt_len
    # Row 0 is as it was, in row t target token t is changed, and in the last row the last source token.
    src, tgt = (ids[:1].repeat(length + 1, 1) for ids in (case.src(), case.tgt()))
    for t in range(1, length):
        tgt[t, t] = _other(int(tgt[t, t]), case.tgt_vocab, case.pad_id)
    src[-1, -1] = _other(int(src[-1, -1]), case.src_vocab, case.pad_id)
    for mode in ("eval", "training", "eval (no_grad)"):
        with torch.set_grad_enabled("no_grad" not in mode):
            logits = model.train(mode == "training")(src, tgt)
        logits = check_tensor(logits, "model(src, tgt)", shape=(*tgt.shape, case.tgt_vocab)).detach()
        moved = moves(logits, logits[:1], CLOSE)  # (length + 1, length)
        for t in range(1, length):
            early = moved[t, :t].nonzero().flatten().tolist()
            shown = {"tgt": tgt[0], "tgt changed": tgt[t], "logits moved by": _gap(logits[t], logits[0])}
            message = f"in {mode} mode, the logits at {_positions(early)} move when only target token {t} is changed"
            require(not early, f"{message}: they see the future.", **shown)
            message = f"in {mode} mode, the logits at position {t} stay as they are when target token {t} is changed."
            require(bool(moved[t, t]), message, **shown)
        shown = {"src": src[0], "src changed": src[-1], "logits moved by": _gap(logits[-1], logits[0])}
        blind = (~moved[-1]).nonzero().flatten().tolist()
        message = f"in {mode} mode, the logits at {_positions(blind)} do not see the last source token"
        require(not blind, f"{message}: they stay as they are when it is changed.", **shown)
    _check_future_while_dropping(impl, case, src, tgt)
    memory = check_tensor(model.encode(src), "encode(src)", shape=(*src.shape, case.d_model))
    blind = (~moves(memory[-1], memory[0], CLOSE)).nonzero().flatten().tolist()
    require(not blind, f"the memory at {_positions(blind)} does not see the last source token.", src=src[0])


def _check_future_while_dropping(impl: Implementation, case: ModelCase, src: Tensor, tgt: Tensor) -> None:
    """Nothing sees the future while dropout drops either, as long as it drops the same. In row t of tgt, token t is
    another than in row 0."""
    model = transformer(impl, replace(case, dropout=DROP), dtype=torch.float32).train()
    found = []
    for t in (0, *range(case.tgt_len)):
        impl.seed(case.seed)
        logits = check_tensor(
            model(src[:1], tgt[t : t + 1]), "model(src, tgt)", shape=(1, case.tgt_len, case.tgt_vocab)
        )
        found.append(logits[0])
    if not torch.allclose(found[0], found[1], rtol=0, atol=CLOSE):
        return  # the entries are not drawn from torch's generator
    for t in range(1, case.tgt_len):
        gap = _gap(found[t + 1], found[0])
        message = f"in training mode with dropout {DROP}, logits before position {t} move when only target token {t} is"
        shown = {"tgt": tgt[0], "tgt changed": tgt[t], "logits moved by": gap}
        require(bool((gap[:t] <= CLOSE).all()), f"{message} changed: they see the future.", **shown)


@pytest.mark.law(
    points=1,
    property="padding invariance",
    title="Padding does not matter, on either side",
    hint="forward's masks: padding_mask(src, pad_id) for the encoder AND for the cross-attention, padding_mask(tgt, "
    "pad_id) beside the causal mask; with the model's own pad_id, which need not be 0, in training mode too.",
)
@forall(max_examples=1, drawn=model_cases())
@in_its_own_sizes
def test_padding_does_not_matter(impl: Implementation, drawn: ModelCase) -> None:
    """A padded source gives the logits of the source without padding, and what embeds `pad_id` does not matter."""
    drawn = replace(drawn, tgt_len=drawn.tgt_len + 1)  # so that real tokens follow on the padding in the middle
    equal_lengths = replace(drawn, src_len=drawn.tgt_len)
    for case, mode in ((replace(drawn, pad_id=0), "eval"), (replace(equal_lengths, pad_id=7), "training")):
        model = transformer(impl, case, dtype=torch.float32).train(mode == "training")
        src, tgt = case.src(padded=True), case.tgt(padded=True)
        src[-1] = case.pad_id
        full = 1 if mode == "eval" else 0  # a row without padding, beside which the others need their mask all the same
        tgt = tgt.roll(1 - full, 0)  # row 0, with padding in the middle, stays or becomes row 1
        src[full], tgt[full] = case.src()[full], case.tgt()[full]
        logits = check_tensor(model(src, tgt), "model(src, tgt)", shape=(*tgt.shape, case.tgt_vocab), finite=False)
        message = f"pad_id is {case.pad_id}, {mode} mode: a source of nothing but padding makes the logits"
        require(bool(logits[-1].isfinite().all()), f"{message} NaN or infinite.", src=src[-1])
        check_tensor(logits, "model(src, tgt)")
        for b in range(2):
            real = int((src[b] != case.pad_id).sum())
            short = src[b : b + 1, : real + b]  # a batch of one; for row 1 the first padding stays
            alone = check_tensor(model(short, tgt[b : b + 1]), "model(src, tgt) of one sample", shape=logits[:1].shape)
            gap = _gap(logits[b], alone[0])
            gap[tgt[b] == case.pad_id] = 0
            bad = (~(gap <= CLOSE)).nonzero().flatten().tolist()
            message = f"pad_id is {case.pad_id}, {mode} mode: the logits at {_positions(bad)} are not those that the"
            message += f" same target gets alone, beside the source cut to its {real} real tokens{' and a pad_id' * b}."
            require(not bad, message, **{"src (padded)": src[b], "tgt": tgt[b], "logits off by": gap})
        src[full, 0] = case.pad_id  # in front of real tokens
        logits = model(src, tgt)
        for side in ("src", "tgt"):
            with torch.no_grad():
                table = Parameters.of(model)[f"{side}_embed.weight"]
                table[case.pad_id] += 1 + random_tensor((case.d_model,), case.seed)
            gap = _gap(model(src, tgt), logits)  # (B, Tt)
            gap[tgt == case.pad_id] = 0
            b = int(gap.amax(1).argmax())
            bad = (~(gap[b] <= CLOSE)).nonzero().flatten().tolist()
            message = f"pad_id is {case.pad_id}, {mode} mode: the logits at {_positions(bad)}, where tgt has real"
            message += f" tokens, depend on how {side}_embed embeds pad_id: they see padding of {side}."
            require(not bad, message, **{"src": src[b], "tgt": tgt[b], "logits off by": gap[b]})
    check_every_padding(impl, drawn.seed)
    _check_padding_while_dropping(impl, drawn)


def _check_padding_while_dropping(impl: Implementation, case: ModelCase) -> None:
    """How `pad_id` is embedded makes no difference while dropout drops either, as long as it drops the same."""
    model = transformer(impl, replace(case, dropout=DROP), dtype=torch.float32).train()
    src, tgt = case.src(padded=True), case.tgt(padded=True)

    def logits() -> Tensor:
        impl.seed(case.seed)
        return check_tensor(model(src, tgt), "model(src, tgt)", shape=(*tgt.shape, case.tgt_vocab))

    before = logits()
    if not torch.allclose(before, logits(), rtol=0, atol=CLOSE):
        return  # the entries are not drawn from torch's generator
    for side in ("src", "tgt"):
        with torch.no_grad():
            Parameters.of(model)[f"{side}_embed.weight"][case.pad_id] += 2
        gap = _gap(logits(), before)  # (B, Tt)
        gap[tgt == case.pad_id] = 0
        b = int(gap.amax(1).argmax())
        message = f"in training mode with dropout {DROP}, logits depend on how {side}_embed embeds pad_id: they see"
        message = f"{message} padding of {side}."
        require(bool((gap[b] <= CLOSE).all()), message, **{"src": src[b], "tgt": tgt[b], "logits off by": gap[b]})


@pytest.mark.law(
    points=1,
    property="errors",
    title="Sequences longer than max_len raise ValueError",
    hint="both sides go through `position`, which checks the length. Slicing checks nothing: of a table of max_len "
    "rows, or of a causal mask made once for max_len, `[:T]` with a greater T gives what there is.",
)
@forall(max_examples=1, case=model_cases())
def test_too_long_sequences_raise(impl: Implementation, case: ModelCase) -> None:
    """A source or target of max_len tokens works, one more raises ValueError."""
    model = impl.Transformer(**case.arguments).eval()
    full = torch.full((2, case.max_len), 1)
    longer = torch.full((2, case.max_len + 1), 1)
    logits = check_tensor(model(full, full), "model(src, tgt)", shape=(*full.shape, case.tgt_vocab))
    not_constant(logits)
    words = f"of max_len + 1 = {case.max_len + 1} tokens"
    must_raise_value_error(lambda: model(longer, full), f"model(src, tgt) with a source {words}")
    must_raise_value_error(lambda: model(full, longer), f"model(src, tgt) with a target {words}")
    wide = impl.Transformer(**replace(case, max_len=150).arguments).eval()
    full = torch.full((1, 150), 1)
    logits = wide(full, full)
    check_tensor(logits, "model(src, tgt) of 150 tokens, max_len 150", shape=(*full.shape, case.tgt_vocab))


@pytest.mark.law(
    points=1,
    property="gradient flow",
    title="The right gradient reaches every parameter",
    hint="the part that is named: is it used at all? A `detach`, `no_grad` or `.data` on the way cuts the graph, be it "
    "in eval mode only, or only where something is dropped.",
)
@forall(max_examples=1, case=model_cases())
def test_gradients_reach_every_parameter(impl: Implementation, case: ModelCase) -> None:
    """In both modes, also if entries are dropped, each parameter gets the right gradient, not just zeros."""
    case = replace(case, dropout=DROP, pad_id=5)  # so that id 0 is a token like any other
    model, src, tgt = transformer(impl, case, frozen=False), case.src(padded=True), case.tgt()
    src[0, 0] = tgt[0, 0] = 0
    direction = random_tensor((*tgt.shape, case.tgt_vocab), case.seed)
    parameters = named_parameters(model)

    def loss() -> Tensor:
        impl.seed(case.seed)  # so that each call drops the same entries
        return (check_tensor(model(src, tgt), "model(src, tgt)", shape=direction.shape) * direction).sum()

    for where in (f" in training mode, dropout {DROP}", " in eval mode"):
        model.train("training" in where)
        check_slope(parameters, loss, case.seed, where)
    for kind in (*PARTS, "forward"):
        check_every_gradient(impl, kind, case.seed)


@pytest.mark.law(
    points=1,
    property="side effects",
    title="State can be loaded; inputs, settings and later calls are left alone",
    hint="operations ending in `_` and `+=`, on inputs or on parameters, global settings, results or masks kept on "
    "`self`, and tensors that are no parameters.",
)
@forall(max_examples=1, case=model_cases())
def test_state_and_side_effects(impl: Implementation, case: ModelCase) -> None:
    """A model that loads another's `state_dict` computes the same, whatever was called before, and leaves no trace."""
    dtype = torch.float32
    used, fresh = transformer(impl, case, seed=1, dtype=dtype), transformer(impl, case, dtype=dtype)
    names_at_first = set(fresh.state_dict())
    src, tgt = case.src(padded=True), case.tgt(padded=True)
    for mode in ("training", "eval"):
        used.train(mode == "training")
        impl.renew()
        impl.seed(20170612)
        with keeps_parameters(used, f"model(src, tgt) in {mode} mode"), impl.observe(src, tgt) as seen:
            before = not_constant(used(src, tgt))
        _check_inputs(seen, ("src", "tgt"), f"model(src, tgt) in {mode} mode")
        _check_settings(seen, f"model(src, tgt) in {mode} mode")
    require(not seen.changed_globals, f"after model(src, tgt) in eval mode, {'; '.join(seen.changed_globals)}.")
    other_src, other_tgt = case.src(), case.tgt()
    expected = fresh(other_src, other_tgt)
    require(bool(moves(before, expected, CLOSE).any()), "models with different parameters give the same logits.")
    grown = sorted(set(used.state_dict()) ^ names_at_first)
    require(
        not grown, f"a call changed what the state_dict holds: {', '.join(grown[:3])}. It can't be loaded any more."
    )
    used.load_state_dict(fresh.state_dict())
    because = "Expected are those of the model whose state was loaded, which was never called before."
    what = "logits after load_state_dict, and after calls with other tokens"
    agree(used(other_src, other_tgt), expected, what, atol=CLOSE, because=because)
    for kind in (*PARTS, *METHODS):
        check_every_side_effect(impl, kind, case.seed)
    for kind in (*PARTS, *METHODS):
        check_forgetting(impl, kind, case.seed)


@pytest.mark.law(
    points=1,
    property="dtype and device",
    title="Half precisions and other devices work",
    hint="tensors made inside forward, encode or decode: dtype and device have to come from the inputs.",
)
@forall(max_examples=1, case=model_cases())
def test_dtype_and_device_of_the_inputs(impl: Implementation, case: ModelCase) -> None:
    """Layers and model in half precision are near the exact ones; encode and decode on "meta" give results there."""
    for kind in (*PARTS, "forward"):
        check_every_half(impl, kind, case.seed)
    model, src, tgt = transformer(impl, case, dtype=torch.bfloat16), case.src(), case.tgt()
    memory = random_tensor((*src.shape, case.d_model), case.seed, dtype=torch.bfloat16)
    meta = model.to("meta")
    src, tgt, memory = (each.to("meta") for each in (src, tgt, memory))
    for what, call, ids in (
        ("encode(src)", lambda: meta.encode(src), src),
        ("decode(tgt, memory)", lambda: meta.decode(tgt, memory), tgt),
    ):
        result = on_meta(call, what)
        if result is not None:
            check_tensor(result, what, shape=(*ids.shape, case.d_model), device="meta")


@pytest.mark.law(
    points=1,
    property="greedy decoding",
    title="Each id is the best one for the ids before it",
    hint="greedy_decode: the last position of decode, under the same masks as in forward, and its argmax, row by row.",
)
@forall(max_examples=1, seed=scene_seeds())
def test_greedy_takes_the_best_id(impl: Implementation, seed: int) -> None:
    """Rows start with SOS, and each next id is the argmax of what `decode` and `out_proj` give at the last position."""
    for pad_id in (0, 5):
        play = scene(seed, pad_id)
        model = play.load(impl.Transformer(**play.case.arguments)).eval()
        whole, turned = play.src, play.src.flip(0)
        tried = ((whole, 1), (whole, 2), (whole, LENGTH), (turned, LENGTH), (whole[2:, :1], LENGTH))
        for src, length in tried[:: 1 if pad_id == 0 else 2]:
            rows = impl.greedy_decode(model, src, max_len=length, sos_id=SOS_ID, eos_id=UNUSED_ID)
            what = f"greedy_decode(max_len={length}) of {len(src)} source(s) of {src.size(1)} token(s), pad_id {pad_id}"
            check_greedy(model, play.case, src, rows, length, what)
    front = play.src.roll(1, 1)  # padding stands in front of tokens
    for src, dtype, what in ((front, torch.float64, "padding in front"), (play.src, torch.float32, "in float32")):
        rows = impl.greedy_decode(model.to(dtype), src, max_len=LENGTH, sos_id=SOS_ID, eos_id=UNUSED_ID)
        check_greedy(model, play.case, src, rows, LENGTH, f"greedy_decode ({what})")
    long = replace(play.case, batch=2, src_len=MANY, max_len=MANY + 3)
    model, src = play.load(impl.Transformer(**long.arguments)).eval(), long.src()
    rows = impl.greedy_decode(model, src, max_len=MANY + 2, sos_id=SOS_ID, eos_id=UNUSED_ID)
    check_greedy(model, long, src, rows, MANY + 2, f"greedy_decode(max_len={MANY + 2}) of {MANY} source tokens")
    check_special_ids(impl, model, play)
    rows = impl.greedy_decode(model, play.src, max_len=2, sos_id=0, eos_id=UNUSED_ID)
    first = fill_up(rows, 2, 5, "greedy_decode(sos_id=0)")[:, 0]
    require(not bool(first.any()), f"with sos_id=0 the rows start with {first.tolist()}.")


@pytest.mark.law(
    points=1,
    property="greedy decoding",
    title="After EOS a row holds only pad_id, and the others go on",
    hint="greedy_decode: remember for each row whether it has ended; write model.pad_id there; stop when all have.",
)
@forall(max_examples=1, seed=scene_seeds())
def test_rows_end_one_by_one(impl: Implementation, seed: int) -> None:
    """A row that wrote EOS is filled up with `pad_id`; the others are written as if each were alone."""
    play, pad_id = scene(seed, 5), 5
    model = play.load(impl.Transformer(**play.case.arguments)).eval()
    endless = impl.greedy_decode(model, play.src, max_len=LENGTH, sos_id=SOS_ID, eos_id=UNUSED_ID)
    endless = fill_up(endless, LENGTH, pad_id, "greedy_decode without any EOS")
    eos_id = telling_end(endless, play.eos_id)
    because = f"EOS is {eos_id}, pad_id is {pad_id}. Expected is what you decode when EOS never comes, ended by hand;"
    because += f" rows are filled up to {LENGTH} ids to compare them."
    for chosen in ((0, 1, 2), (1, 0), (0, 1), (1,)):
        rows = impl.greedy_decode(model, play.src[list(chosen)], max_len=LENGTH, sos_id=SOS_ID, eos_id=eos_id)
        expected = ended(endless[list(chosen)], eos_id, pad_id)
        agree(fill_up(rows, LENGTH, pad_id), expected, "greedy_decode", because=because)
    at_once = int(endless[1, 1])  # row 1 says EOS before anything else
    for row in (slice(1, 3), slice(1, 2)):
        rows = impl.greedy_decode(model, play.src[row], max_len=LENGTH, sos_id=SOS_ID, eos_id=at_once)
        because = f"EOS is {at_once}, the first id that row 0 writes, pad_id is {pad_id}."
        agree(fill_up(rows, LENGTH, pad_id), ended(endless[row], at_once, pad_id), "greedy_decode", because=because)


@pytest.mark.law(
    points=1,
    property="greedy decoding",
    title="Decoding runs in eval mode, without gradients, and gives the mode back",
    hint="greedy_decode: note the mode, go to eval mode, decode without gradients, give the mode back. Setting "
    "`model.training` alone would leave the parts as they are.",
)
@forall(max_examples=1, seed=scene_seeds())
def test_decoding_leaves_the_model_as_it_was(impl: Implementation, seed: int) -> None:
    """A model with dropout decodes as one without, and is in its earlier mode afterwards, without gradients."""
    play = scene(seed, 0)
    model = play.load(impl.Transformer(**{**play.case.arguments, "dropout": 0.5})).requires_grad_()
    state = {name: value.dtype for name, value in model.state_dict().items()}
    watch = impl.probe("DecodingWatch", model)
    decoded = []
    for mode in ("training", "eval"):
        model.train(mode == "training")
        impl.renew()
        src = play.src
        with keeps_parameters(model, "greedy_decode"), impl.observe(src) as seen:
            rows = impl.greedy_decode(model, src, max_len=LENGTH, sos_id=SOS_ID, eos_id=play.eos_id)
        wrong = [name or "model" for name, part in model.named_modules() if part.training != (mode == "training")]
        listed = ", ".join(wrong[:3]) + (" and others" if len(wrong) > 3 else "")
        require(not wrong, f"the model was in {mode} mode before, but afterwards these are not: {listed}.")
        require(not watch.saw_a_graph, "while decoding, a graph for gradients was recorded: nothing is learned here.")
        require(not watch.saw_training, "while decoding, parts of the model were in training mode.")
        _check_inputs(seen, ("src",), "greedy_decode")
        require(not seen.changed_globals, f"after decoding, {'; '.join(seen.changed_globals)}.")
        decoded.append(fill_up(rows, LENGTH, play.case.pad_id))
    require(decoded[1][:, 1:].unique().numel() > 1, "greedy_decode writes the same id everywhere behind SOS.")
    because = "Expected is what it gives when the model is in eval mode already, where nothing is dropped."
    agree(decoded[0], decoded[1], "greedy_decode of a model in training mode, dropout 0.5", because=because)
    for training, part in ((True, "decoder.0"), (False, "encoder.0")):
        model.train(training).get_submodule(part).train(not training)
        rows = impl.greedy_decode(model, play.src, max_len=LENGTH, sos_id=SOS_ID, eos_id=play.eos_id)
        modes = ("training", "eval") if training else ("eval", "training")
        what = f"a model in {modes[0]} mode, of which only `{part}` is in {modes[1]} mode"
        agree(fill_up(rows, LENGTH, play.case.pad_id), decoded[1], f"greedy_decode of {what}", because=because)
        require(model.training == training, f"after greedy_decode of {what}, the model is in {modes[1]} mode.")
    model.train(False)
    frozen = [name for name, parameter in model.named_parameters() if not parameter.requires_grad]
    require(not frozen, f"decoding left parameters that no longer ask for a gradient: {', '.join(frozen[:3])}.")
    model.requires_grad_(False)
    with torch.no_grad(), impl.observe() as seen:
        impl.greedy_decode(model, play.src, max_len=2, sos_id=SOS_ID, eos_id=play.eos_id)
    require(not seen.changed_globals, f"after decoding under torch.no_grad(), {'; '.join(seen.changed_globals)}.")
    thawed = [name for name, parameter in model.named_parameters() if parameter.requires_grad]
    require(not thawed, f"decoding left parameters trainable that were frozen before: {', '.join(thawed[:3])}.")
    touched = [name for name, parameter in model.named_parameters() if parameter.grad is not None]
    require(not touched, f"decoding left gradients in {', '.join(touched[:3])}.")
    now = {name: value.dtype for name, value in model.state_dict().items()}
    changed = sorted(name for name in state | now if state.get(name) != now.get(name))
    require(not changed, f"decoding changed what the state_dict holds: {', '.join(changed[:3])}.")
    with torch.no_grad():
        for name in ("encoder.0.norm2.weight", "src_embed.weight"):
            Parameters.of(model)[name].mul_(-1)
    rows = impl.greedy_decode(model, play.src, max_len=LENGTH, sos_id=SOS_ID, eos_id=UNUSED_ID)
    what = "greedy_decode of the same source, after parameters of the encoder were changed,"
    check_greedy(model, play.case, play.src, rows, LENGTH, what)
    model.train(True)
    first, second = (model.encode(play.src) for _ in range(2))
    require(not torch.equal(first, second), "after decoding, nothing is dropped in training mode any more.")


@pytest.mark.law(
    points=1,
    property="own work",
    title="The Transformer is written by hand",
    hint="the line that is named: it does the exercise for you. Use exercises 1 to 3 instead.",
)
@forall(max_examples=1, case=model_cases())
def test_transformer_is_your_own_work(impl: Implementation, case: ModelCase) -> None:
    """None of torch's ready-made attentions or Transformers is used, when the code runs or anywhere in the file."""
    model, src, tgt = transformer(impl, case), case.src(), case.tgt()
    with impl.observe(src, tgt):
        logits = model(src, tgt)
    check_own_work(impl)
    not_constant(check_tensor(logits, "model(src, tgt)", shape=(*tgt.shape, case.tgt_vocab)))
