"""The laws of exercise 4: layers and stacks against torch's own, and greedy decoding against the model itself."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import strategies as st
from torch.nn import functional as F

from grader.laws import oracles
from grader.laws.compare import agree, check_tensor, require
from grader.laws.decoding import LENGTH, SOS_ID, UNUSED_ID, fill_up, own_greedy, scene, scene_seeds
from grader.laws.forall import forall
from grader.laws.interface import Implementation
from grader.laws.model_cases import LayerCase, ModelCase, layer_cases, layer_shapes, model_cases, model_shapes
from grader.laws.module_checks import (
    EXACT,
    NEARLY_ONE,
    NORMS,
    check_own_work,
    check_parameters,
    check_slope,
    layer,
    moves,
    norms_only,
    not_constant,
    transformer,
)
from grader.laws.oracles import Parameters, draw_parameters, may_attend
from grader.laws.raises import must_raise_value_error, on_meta
from grader.laws.tensors import random_tensor, tolerance

ATOL = 2e-3
"""Against torch in float64: leaves room for another small epsilon in the norms and a float32 table of positions."""


@pytest.mark.law(
    points=1,
    property="feed-forward",
    title="FeedForward is fc2(dropout(relu(fc1(x))))",
    hint="FeedForward.forward: the ReLU stands between the two maps, and the dropout right behind it.",
)
@forall(max_examples=2, case=layer_cases())
def test_feed_forward_follows_its_formula(impl: Implementation, case: LayerCase) -> None:
    """FeedForward is linear, ReLU, linear; in training mode, only what comes out of the ReLU is dropped or scaled."""
    ffn = impl.FeedForward(case.d_model, case.d_ff, dropout=0.5).to(torch.float64).eval()
    draw_parameters(ffn, case.seed)
    own, x = Parameters.of(ffn), case.x()
    hidden = F.linear(x, own["fc1.weight"], own["fc1.bias"]).relu()  # (B, T, d_ff)
    agree(ffn(x), F.linear(hidden, own["fc2.weight"], own["fc2.bias"]), "FeedForward(x) in eval mode", atol=EXACT)

    drop, width = 0.25, 8
    ffn = impl.FeedForward(width, width, dropout=drop).to(torch.float64).train()
    draw_parameters(ffn, case.seed)
    with torch.no_grad():
        ffn.fc2.weight.copy_(torch.eye(width))
    own, x = Parameters.of(ffn), random_tensor((4, 10, width), case.seed)
    hidden = F.linear(x, own["fc1.weight"], own["fc1.bias"]).relu()  # (4, 10, width)
    plain = check_tensor(ffn(x), "FeedForward(x)", shape=x.shape).detach() - own["fc2.bias"].detach()
    kept = plain.abs() > EXACT
    agree(plain, kept * hidden / (1 - drop), f"fc2's input with dropout {drop}", atol=EXACT)
    require(bool((~kept & (hidden > EXACT)).any()), f"with dropout {drop} nothing is dropped in training mode.")


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="EncoderLayer agrees with nn.TransformerEncoderLayer",
    hint="EncoderLayer.forward: norm1(x + attention), then norm2(that + ffn of that); the mask goes to the attention.",
)
@forall(max_examples=2, case=layer_cases())
def test_encoder_layer_agrees_with_torch(impl: Implementation, case: LayerCase) -> None:
    """With the same parameters an EncoderLayer gives what torch's post-norm layer gives, with and without a mask."""
    module, x = layer(impl, "EncoderLayer", case), case.x()
    own, mask = Parameters.of(module), case.mask(case.length)
    for some, what in ((x, "EncoderLayer(x)"), (x[:1, :1], "EncoderLayer(x) of one token")):
        agree(module(some), oracles.encoder_layer(own, case.heads, some), what, atol=ATOL)
    expected = oracles.encoder_layer(own, case.heads, x, mask)
    agree(module(x, mask=mask), expected, "EncoderLayer(x, mask)", atol=ATOL, given={"mask": mask})
    training = module.train()(x, mask=mask)
    agree(training, expected, "EncoderLayer(x, mask) in training mode, dropout 0", atol=ATOL, given={"mask": mask})


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="DecoderLayer agrees with nn.TransformerDecoderLayer",
    hint="DecoderLayer.forward: self-attention under tgt_mask; cross-attention with queries from x, keys and values "
    "from the memory, under memory_mask; feed-forward. Each has its own norm.",
)
@forall(max_examples=2, case=layer_cases())
def test_decoder_layer_agrees_with_torch(impl: Implementation, case: LayerCase) -> None:
    """With the same parameters a DecoderLayer gives what torch's post-norm layer gives, with and without masks."""
    module, x, memory = layer(impl, "DecoderLayer", case), case.x(), case.memory_tensor()
    own, target, source = Parameters.of(module), case.mask(case.length), case.mask(case.memory)
    for masks in ({}, {"tgt_mask": target}, {"memory_mask": source}, {"tgt_mask": target, "memory_mask": source}):
        what = f"DecoderLayer(x, memory{''.join(f', {name}' for name in masks)})"
        expected = oracles.decoder_layer(own, case.heads, x, memory, **masks)
        agree(module(x, memory, **masks), expected, what, atol=ATOL, given=masks)
    training = module.train()(x, memory, tgt_mask=target, memory_mask=source)
    agree(training, expected, "DecoderLayer(x, memory, both masks) in training mode, dropout 0", atol=ATOL)
    one, source = x[:, :1], source[:, :, :1]
    expected = oracles.decoder_layer(own, case.heads, one, memory, memory_mask=source)
    what = "DecoderLayer(x, memory, memory_mask) with one token in x"
    agree(module(one, memory, memory_mask=source), expected, what, atol=ATOL, given={"memory_mask": source})


@pytest.mark.law(
    points=1,
    property="residual path",
    title="Sublayers that give zero leave only the norms",
    hint="each sublayer is norm(x + sublayer(x)): the input is added to what the sublayer made of it, and the norm, "
    "over the features of each token, comes last.",
)
@forall(max_examples=2, case=layer_cases())
def test_zero_sublayers_leave_the_norms(impl: Implementation, case: LayerCase) -> None:
    """A layer whose sublayers all give zero is norm after norm of its input; else the last norm still comes last."""
    x, memory = case.x(), case.memory_tensor()
    for kind, norms in NORMS.items():
        module = layer(impl, kind, case)
        inputs = (x,) if kind == "EncoderLayer" else (x, memory)
        own = Parameters.of(module)
        full = check_tensor(module(*inputs), f"{kind}(x)", shape=x.shape)
        normal = (full - own[f"{norms[-1]}.bias"]) / own[f"{norms[-1]}.weight"]
        agree(normal.mean(-1), torch.zeros(x.shape[:-1]).double(), f"{kind}(x): mean of each token", atol=ATOL)
        spread = normal.var(-1, unbiased=False)
        agree(spread, torch.ones(x.shape[:-1]).double(), f"{kind}(x): variance of each token", atol=0.01)
        with torch.no_grad():
            for name, parameter in module.named_parameters():
                if "w_o" in name or "fc2" in name:
                    parameter.zero_()
        agree(module(*inputs), norms_only(own, kind, x), f"{kind}(x) with sublayers that give zero", atol=ATOL)


@pytest.mark.law(
    points=1,
    property="dropout",
    title="Dropout acts on every sublayer, in training only",
    hint="norm(x + dropout(sublayer(x))): the dropout is on what is added to x, at each of the places; and Transformer "
    "passes its dropout on to every layer and to the positions.",
)
@forall(max_examples=2, case=layer_cases(), model_case=model_cases())
def test_dropout_acts_on_every_sublayer(impl: Implementation, case: LayerCase, model_case: ModelCase) -> None:
    """When everything is dropped only the norms of x are left, also in a whole model; in eval mode nothing is."""
    x, memory = case.x(), case.memory_tensor()
    for kind in NORMS:
        inputs = (x,) if kind == "EncoderLayer" else (x, memory)
        dropping = layer(impl, kind, case, dropout=NEARLY_ONE)
        plain = layer(impl, kind, case)
        expected = not_constant(plain(*inputs))
        agree(dropping(*inputs), expected, f"{kind}(x) in eval mode", atol=ATOL)
        agree(plain.train()(*inputs), expected, f"{kind}(x) in training mode, with dropout 0", atol=ATOL)
        left = norms_only(Parameters.of(dropping), kind, x)
        agree(dropping.train()(*inputs), left, f"{kind}(x) when all is dropped in training mode", atol=ATOL)
    whole = replace(model_case, dropout=NEARLY_ONE)
    model, src = transformer(impl, whole).train(), whole.src()
    left = torch.zeros((*src.shape, whole.d_model), dtype=torch.float64)
    for own in Parameters.of(model).layers("encoder"):
        left = norms_only(own, "EncoderLayer", left)
    agree(model.encode(src), left, "encode(src) when all is dropped, the embeddings too, in training mode", atol=ATOL)


@pytest.mark.law(
    points=1,
    property="parameters",
    title="Every part has its name, its size and parameters of its own",
    hint="__init__: the names of the parts, one object for each use of a part, the two depths and vocabularies; "
    "no norm after the stacks, no tied weights, and the table of positions is not a parameter.",
)
@forall(max_examples=2, case=model_cases(deep=True))
def test_every_part_has_its_parameters(impl: Implementation, case: ModelCase) -> None:
    """Layers and model have the parameters of their parts, each of its own, and nothing else."""
    sizes = (case.d_model, case.heads, case.d_ff)
    for kind in ("EncoderLayer", "DecoderLayer"):
        wanted = layer_shapes(case.d_model, case.d_ff, decoder=kind == "DecoderLayer")
        check_parameters(dict(getattr(impl, kind)(*sizes).named_parameters()), wanted, f"{kind}{sizes}")
    model = impl.Transformer(**case.arguments)
    call = ", ".join(f"{name}={value}" for name, value in case.arguments.items() if "num" in name or "vocab" in name)
    check_parameters(dict(model.named_parameters()), model_shapes(case), f"Transformer({call}, ...)")
    for name in ("d_model", "pad_id"):
        value, right = getattr(model, name, None), case.arguments[name]
        require(value == right, f"model.{name} should be {right}, but it is {value}.")


@pytest.mark.law(
    points=1,
    property="initialisation",
    title="Every weight starts Xavier-uniform, from a draw of its own",
    hint="nn.init.xavier_uniform_ on every parameter of two or more dimensions, embeddings too, after all parts "
    "exist; and layers that are built by a call each, not copied.",
)
@forall(max_examples=1, pad_id=st.integers(0, 6))
def test_weights_start_xavier_uniform(impl: Implementation, pad_id: int) -> None:
    """Each weight fills the range ±sqrt(6 / (fan_in + fan_out)) evenly, and no two weights start equal."""
    case = ModelCase(1, 1, 1, 3, 8, 2, 3, pad_id, 0, src_vocab=31, tgt_vocab=37, d_ff=40, max_len=5)
    models = [dict(impl.Transformer(**case.arguments).named_parameters()) for _ in range(2)]
    weights = {name: value.detach() for name, value in models[0].items() if value.dim() > 1}
    require(len(weights) > 1, "the model has no weights of two dimensions.")
    for name, weight in weights.items():
        bound = math.sqrt(6 / (weight.size(0) + weight.size(1)))
        largest, spread = float(weight.abs().max()), float(weight.std()) / (bound / math.sqrt(3))
        require(largest <= bound * 1.0001, f"`{name}` reaches {largest:.3g}, but its bound is {bound:.3g}.")
        require(largest > bound * 0.95, f"`{name}` only reaches {largest:.3g}, but should come near {bound:.3g}.")
        require(
            0.85 < spread < 1.15, f"`{name}` is not uniform up to ±{bound:.3g}: its spread is {spread:.2f} of that."
        )
    named = list(weights.items()) + [(f"{name} of a second model", models[1][name].detach()) for name in weights]
    for i, (name, weight) in enumerate(named):
        equal = [other for other, before in named[:i] if before.shape == weight.shape and torch.equal(before, weight)]
        require(not equal, f"`{name}` starts equal to `{equal[0] if equal else ''}`.")


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="encode is the scaled, positioned embedding through all encoder layers",
    hint="encode: embedding times sqrt(d_model), then the positions (which add themselves), then each layer on the "
    "result of the layer before, all under the same mask.",
)
@forall(max_examples=2, case=model_cases(deep=True))
def test_encode_agrees_with_torch(impl: Implementation, case: ModelCase) -> None:
    """The memory is what a stack of torch's layers makes of the scaled embeddings plus positions."""
    model, src = transformer(impl, case), case.src()
    own = Parameters.of(model)
    expected = oracles.encode(own, case.heads, src)
    agree(model.encode(src), expected, "encode(src)", atol=ATOL, given={"src": src})
    for mask in (case.mask(case.src_len, case.src_len), may_attend(case.src(padded=True), case.pad_id)):
        expected = oracles.encode(own, case.heads, src, mask)
        agree(model.encode(src, src_mask=mask), expected, "encode(src, src_mask)", atol=ATOL, given={"mask": mask})


@pytest.mark.law(
    points=1,
    property="agreement with torch",
    title="decode is the target's embedding through all decoder layers",
    hint="decode: the target's own embedding, scaled and positioned as in encode; every layer gets the same memory "
    "and both masks; the projection to the vocabulary is not part of it.",
)
@forall(max_examples=2, case=model_cases(deep=True))
def test_decode_agrees_with_torch(impl: Implementation, case: ModelCase) -> None:
    """The decoder's output is what a stack of torch's layers makes of target and memory, under each mask given."""
    model, tgt = transformer(impl, case), case.tgt()
    memory = random_tensor((case.batch, case.src_len, case.d_model), case.seed + 2)
    own, target = Parameters.of(model), case.mask(case.tgt_len, case.tgt_len)
    source = case.mask(1, case.src_len)
    for masks in ({}, {"tgt_mask": target}, {"memory_mask": source}, {"tgt_mask": target, "memory_mask": source}):
        expected = oracles.decode(own, case.heads, tgt, memory, **masks)
        what = f"decode(tgt, memory{''.join(f', {name}' for name in masks)})"
        agree(model.decode(tgt, memory, **masks), expected, what, atol=ATOL, given=masks)


@pytest.mark.law(
    points=1,
    property="logits",
    title="forward projects what decode makes of encode",
    hint="forward: the causal mask (combined by AND with the padding mask), the whole target beside the memory, then "
    "out_proj, and nothing behind it: no softmax, no shift.",
)
@forall(max_examples=2, case=model_cases())
def test_forward_joins_the_parts(impl: Implementation, case: ModelCase) -> None:
    """Without padding, forward is out_proj of decode under a causal mask, beside the memory from encode."""
    model, src, tgt = transformer(impl, case), case.src(), case.tgt()
    own, causal = Parameters.of(model), may_attend(tgt, case.pad_id, causal=True)
    logits = check_tensor(model(src, tgt), "model(src, tgt)", shape=(*tgt.shape, case.tgt_vocab))
    hidden = model.decode(tgt, model.encode(src), tgt_mask=causal)
    check_tensor(hidden, "decode(tgt, memory)", shape=(*tgt.shape, case.d_model))
    expected = F.linear(hidden, own["out_proj.weight"], own["out_proj.bias"])
    agree(logits, expected, "model(src, tgt)", atol=EXACT, given={"src": src, "tgt": tgt})


@pytest.mark.law(
    points=1,
    property="mask causality",
    title="Logits do not depend on later target tokens, but on all source tokens",
    hint="forward's masks: the target's is causal mask AND padding mask; the source's is the padding mask only.",
)
@forall(max_examples=2, case=model_cases())
def test_logits_do_not_see_the_future(impl: Implementation, case: ModelCase) -> None:
    """Changing target token t changes the logits at t and none before; changing the last source token changes all."""
    model, src, tgt = transformer(impl, case), case.src(), case.tgt()
    before = check_tensor(model(src, tgt), "model(src, tgt)", shape=(*tgt.shape, case.tgt_vocab))
    for t in range(1, case.tgt_len):
        changed = tgt.clone()
        changed[:, t] = (tgt[:, t] + 1) % case.tgt_vocab
        changed[:, t] += changed[:, t] == case.pad_id
        after = model(src, changed)
        agree(after[:, :t], before[:, :t], f"logits before target token {t}, which was changed", atol=EXACT)
        require(bool(moves(after, before)[:, t].all()), f"target token {t} was changed, but not the logits there.")
    changed = src.clone()
    changed[:, -1] = (src[:, -1] + 1) % case.src_vocab
    changed[:, -1] += changed[:, -1] == case.pad_id
    for what, now, then in (
        ("logits", model(changed, tgt), before),
        ("memory", model.encode(changed), model.encode(src)),
    ):
        require(bool(moves(now, then).all()), f"the last source token was changed, but not all of the {what}.")


@pytest.mark.law(
    points=1,
    property="padding invariance",
    title="Padding does not matter, on either side",
    hint="forward's masks: padding_mask(src, pad_id) for the encoder AND for the cross-attention, padding_mask(tgt, "
    "pad_id) beside the causal mask; with the model's own pad_id, which need not be 0.",
)
@forall(max_examples=1, case=model_cases())
def test_padding_does_not_matter(impl: Implementation, case: ModelCase) -> None:
    """A padded source gives the logits of the source without padding, and what embeds `pad_id` does not matter."""
    for pad_id in (0, 5):
        padded = replace(case, pad_id=pad_id)
        model, src, tgt = transformer(impl, padded), padded.src(padded=True), padded.tgt(padded=True)
        logits = check_tensor(model(src, tgt), "model(src, tgt)", shape=(*tgt.shape, case.tgt_vocab))
        real = tgt != pad_id
        training = model.train()(src, tgt)
        model.eval()
        because = "Dropout is 0, so training mode should give what eval mode gives."
        agree(training[real], logits[real], "logits in training mode", atol=EXACT, because=because)
        for b in range(case.batch):
            short = src[b : b + 1, src[b] != pad_id]
            alone = model(short, tgt[b : b + 1])
            because = f"Expected are those with the source cut to its {short.size(1)} real tokens; pad_id is {pad_id}."
            given = {"src": src[b], "tgt": tgt[b]}
            what = "logits beside a padded source"
            agree(logits[b, real[b]], alone[0, real[b]], what, atol=EXACT, given=given, because=because)
        for side in ("src", "tgt"):
            with torch.no_grad():
                Parameters.of(model)[f"{side}_embed.weight"][pad_id] += random_tensor((case.d_model,), case.seed) + 1
            because = f"Only the row of {side}_embed that belongs to pad_id {pad_id} was changed."
            given = {"src": src, "tgt": tgt}
            agree(
                model(src, tgt)[real], logits[real], "logits at real tokens", atol=EXACT, given=given, because=because
            )


@pytest.mark.law(
    points=1,
    property="errors",
    title="Sequences longer than max_len raise ValueError",
    hint="both sides go through `position`, which checks the length.",
)
@forall(max_examples=1, case=model_cases())
def test_too_long_sequences_raise(impl: Implementation, case: ModelCase) -> None:
    """A source or target of max_len tokens works, one more raises ValueError."""
    model = transformer(impl, case)
    full = torch.full((2, case.max_len), 1)
    longer = torch.full((2, case.max_len + 1), 1)
    not_constant(model(full, full))
    words = f"of max_len + 1 = {case.max_len + 1} tokens"
    must_raise_value_error(lambda: model(longer, full), f"model(src, tgt) with a source {words}")
    must_raise_value_error(lambda: model(full, longer), f"model(src, tgt) with a target {words}")


@pytest.mark.law(
    points=1,
    property="gradient flow",
    title="The right gradient reaches every parameter",
    hint="the part that is named: is it used at all? A `detach`, `no_grad` or `.data` on the way cuts the graph.",
)
@forall(max_examples=1, case=model_cases())
def test_gradients_reach_every_parameter(impl: Implementation, case: ModelCase) -> None:
    """Every parameter gets a gradient that is not zero, and the gradients agree with finite differences."""
    model, src, tgt = transformer(impl, case, frozen=False).train(), case.src(padded=True), case.tgt()
    direction = random_tensor((*tgt.shape, case.tgt_vocab), case.seed)
    logits = check_tensor(model(src, tgt), "model(src, tgt)", shape=direction.shape)
    require(logits.requires_grad, "the logits carry no gradient at all.")
    (logits * direction).sum().backward()
    check_slope(dict(model.named_parameters()), lambda: (model(src, tgt) * direction).sum(), case.seed)


@pytest.mark.law(
    points=1,
    property="side effects",
    title="State can be loaded; inputs, settings and later calls are left alone",
    hint="operations ending in `_`, global settings, results kept on `self`, and tensors that are no parameters.",
)
@forall(max_examples=1, case=model_cases())
def test_state_and_side_effects(impl: Implementation, case: ModelCase) -> None:
    """A model that loads another's `state_dict` computes the same, whatever was called before, and leaves no trace."""
    first, second = transformer(impl, case), transformer(impl, case, seed=1)
    src, tgt = case.src(padded=True), case.tgt(padded=True)
    impl.renew()
    with impl.observe(src, tgt) as seen:
        before = not_constant(second(src, tgt))
    names = [("src", "tgt")[i] for i in seen.changed_inputs]
    require(not names, f"a call wrote into its {' and '.join(names)}.")
    require(not seen.changed_globals, f"after the calls, {'; '.join(seen.changed_globals)}.")
    expected = first(src, tgt)
    require(bool(moves(before, expected).any()), "models with different parameters give the same logits.")
    agree(first(src[:1], tgt[:1, :1]), expected[:1, :1], "logits of one sample and one target token", atol=EXACT)
    second.load_state_dict(first.state_dict())
    agree(second(src, tgt), expected, "logits after load_state_dict", atol=EXACT)
    agree(second(case.src(), case.tgt()), first(case.src(), case.tgt()), "logits of other tokens", atol=EXACT)
    agree(second(src, tgt), expected, "logits of the first tokens again", atol=EXACT)


@pytest.mark.law(
    points=1,
    property="dtype and device",
    title="Half precisions and other devices work",
    hint="tensors made inside forward, encode or decode: dtype and device have to come from the inputs.",
)
@forall(max_examples=1, case=layer_cases(), model_case=model_cases())
def test_dtype_and_device_of_the_inputs(impl: Implementation, case: LayerCase, model_case: ModelCase) -> None:
    """Layers in half precision are near the exact ones, and layers, encode and decode on "meta" give results there."""
    for kind in ("EncoderLayer", "DecoderLayer"):
        module = layer(impl, kind, case)
        for dtype in (torch.float16, torch.bfloat16):
            inputs = [case.x(dtype), case.memory_tensor(dtype)][: 1 if kind == "EncoderLayer" else 2]
            output = check_tensor(module.to(dtype)(*inputs), f"{kind}(x) in {dtype}", dtype=dtype)
            exact = not_constant(module.to(torch.float64)(*[x.double() for x in inputs]))
            allowed = tolerance(dtype, scale=2 * float(exact.detach().abs().max()))
            agree(output, exact.to(dtype), f"{kind}(x) in {dtype}", atol=allowed)
    model, src, tgt = transformer(impl, model_case), model_case.src(), model_case.tgt()
    logits = model.to(torch.bfloat16)(src, tgt)
    check_tensor(logits, "model(src, tgt) in bfloat16", shape=(*tgt.shape, model_case.tgt_vocab), dtype=torch.bfloat16)

    meta, src, tgt = model.to("meta"), src.to("meta"), tgt.to("meta")
    memory = on_meta(lambda: meta.encode(src), "encode")
    if memory is not None:
        check_tensor(memory, "encode(src)", shape=(*src.shape, model_case.d_model), device="meta")
        hidden = on_meta(lambda: meta.decode(tgt, memory), "decode")
        if hidden is not None:
            check_tensor(hidden, "decode(tgt, memory)", shape=(*tgt.shape, model_case.d_model), device="meta")


@pytest.mark.law(
    points=1,
    property="greedy decoding",
    title="Each id is the best one for the ids before it",
    hint="greedy_decode: the last position of decode, under the same masks as in forward, and its argmax, row by row.",
)
@forall(max_examples=2, seed=scene_seeds(), pad_id=st.sampled_from((0, 5)))
def test_greedy_takes_the_best_id(impl: Implementation, seed: int, pad_id: int) -> None:
    """Rows start with SOS, and each next id is the argmax of `model(src, ids so far)` at the last position."""
    play = scene(seed, pad_id)
    model = play.load(impl.Transformer(**play.case.arguments)).eval()
    for length in (1, 2, LENGTH):
        rows = impl.greedy_decode(model, play.src, max_len=length, sos_id=SOS_ID, eos_id=UNUSED_ID)
        expected = own_greedy(model, play.src, length, UNUSED_ID, pad_id)
        agree(rows, expected, f"greedy_decode(max_len={length})", given={"src": play.src})


@pytest.mark.law(
    points=1,
    property="greedy decoding",
    title="After EOS a row holds only pad_id, and the others go on",
    hint="greedy_decode: remember for each row whether it has ended; write model.pad_id there; stop when all have.",
)
@forall(max_examples=1, seed=scene_seeds())
def test_rows_end_one_by_one(impl: Implementation, seed: int) -> None:
    """A row that wrote EOS is filled up with `pad_id`; the others are written as if each were alone."""
    for pad_id, choices in ((0, ((0, 1, 2), (1, 0), (2,))), (5, ((2, 0, 1), (1,)))):
        play = scene(seed, pad_id)
        model = play.load(impl.Transformer(**play.case.arguments)).eval()
        written = own_greedy(model, play.src, LENGTH, play.eos_id, pad_id)
        for chosen in choices:
            src, expected = play.src[list(chosen)], written[list(chosen)]
            rows = impl.greedy_decode(model, src, max_len=LENGTH, sos_id=SOS_ID, eos_id=play.eos_id)
            because = f"EOS is {play.eos_id}, pad_id is {pad_id}; rows are filled up to {LENGTH} ids to compare them."
            agree(fill_up(rows, LENGTH, pad_id), expected, "greedy_decode", because=because)


@pytest.mark.law(
    points=1,
    property="greedy decoding",
    title="Decoding runs in eval mode and gives the mode back",
    hint="greedy_decode: remember model.training, model.eval(), decode, model.train(what it was).",
)
@forall(max_examples=2, seed=scene_seeds(), training=st.booleans())
def test_decoding_leaves_the_model_as_it_was(impl: Implementation, seed: int, training: bool) -> None:
    """A model with dropout decodes as one without, and is in its earlier mode afterwards, without gradients."""
    play = scene(seed, 0)
    plain = play.load(impl.Transformer(**play.case.arguments)).eval()
    model = play.load(impl.Transformer(**{**play.case.arguments, "dropout": 0.5})).requires_grad_()
    ids = {"max_len": LENGTH, "sos_id": SOS_ID, "eos_id": play.eos_id}
    expected = check_tensor(impl.greedy_decode(plain, play.src, **ids), "greedy_decode", dtype=torch.int64)
    require(expected.dim() == 2 and expected.size(1) > 1, "greedy_decode adds nothing behind SOS.")
    for mode in (training, not training):
        name = "training" if mode else "eval"
        model.train(mode)
        impl.renew()
        src = play.src
        with impl.observe(src) as seen:
            rows = impl.greedy_decode(model, src, **ids)
        because = "Expected is what it gives for the same model without dropout."
        agree(rows, expected, f"greedy_decode of a model in {name} mode with dropout 0.5", because=because)
        require(model.training == mode, f"the model was in {name} mode before, but is not afterwards.")
        require(not seen.changed_inputs, "greedy_decode wrote into src.")
        require(not seen.changed_globals, f"after decoding, {'; '.join(seen.changed_globals)}.")
    frozen = [name for name, parameter in model.named_parameters() if not parameter.requires_grad]
    require(not frozen, f"decoding left parameters that no longer ask for a gradient: {', '.join(frozen[:3])}.")
    touched = [name for name, parameter in model.named_parameters() if parameter.grad is not None]
    require(not touched, f"decoding left gradients in {', '.join(touched[:3])}.")


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
