"""Dropout, seen through what it leaves: which entries were kept, and whether each was decided on its own."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import torch
from torch import Tensor

from grader.laws.compare import agree, broken, check_tensor, require
from grader.laws.model_cases import LayerCase, ModelCase
from grader.laws.module_checks import LOOSE, NORMS, moves, norm, norms_only
from grader.laws.oracles import Parameters, embed, named_parameters
from grader.laws.tensors import random_tensor

DROP = 0.25
"""Not a half, where what is kept and what is dropped could be mistaken for each other."""

TRIES = 16
"""Calls after which dropout was seen, even one that decides once for a whole call."""

SUBLAYERS = {
    "EncoderLayer": ("self_attn.w_o", "ffn.fc2"),
    "DecoderLayer": ("self_attn.w_o", "cross_attn.w_o", "ffn.fc2"),
}
"""The last linear map of each sublayer, in the order of use."""

LAST_MAPS = ("w_o", "fc2")
"""What any of them is called in its part."""

STACKS = {"EncoderLayer": "encoder", "DecoderLayer": "decoder"}


def check_choices(kept: Tensor, asked: Tensor, what: str) -> None:
    """Of the entries `asked` about, (B, T, features), dropout kept `kept`, and decided on each by itself."""
    count = int(asked.sum())
    part = float((kept & asked).sum()) / count
    likely = 6 * (DROP * (1 - DROP) / count) ** 0.5
    require(part < 1, f"{what}: with dropout {DROP} nothing is dropped in training mode.")
    require(
        abs(part - (1 - DROP)) < likely,
        f"{what}: with dropout {DROP}, {part:.0%} of the entries are kept in training mode instead of {1 - DROP:.0%}.",
    )
    for axis, name in enumerate(("sample of the batch", "token", "feature")):
        differ = (kept & asked).any(axis) & (~kept & asked).any(axis)
        require(bool(differ.any()), f"{what}: every {name} is treated alike, but each entry has a draw of its own.")


def nearest_after_dropout(heads: Tensor, weights: Tensor, values: Tensor, drop: float) -> tuple[Tensor, Tensor]:
    """Of all that `heads` (B, H, Tq, d_k) could be when each weight is dropped or scaled: the nearest, and its choice.

    `weights` (B, H, Tq, Tk) are those before the dropout. The choice is 1 for a kept weight, 0 for a dropped one.
    """
    choices = _choices(weights.size(-1)).to(heads.dtype)  # (2 ** Tk, Tk)
    candidates = (weights * choices[:, None, None, None] / (1 - drop)) @ values  # (2 ** Tk, B, H, Tq, d_k)
    return _nearest(heads, candidates, choices)


def silence(module: Any) -> None:
    """Make all sublayers of a layer or a model give zero."""
    with torch.no_grad():
        for name, parameter in named_parameters(module).items():
            if name.rpartition(".")[0].endswith(LAST_MAPS):
                parameter.zero_()


def check_each_sublayer(module: Any, kind: str, case: LayerCase) -> None:
    """Each sublayer in turn gives one known vector, the others zero: the layer adds it with some entries dropped.

    `module` was built with dropout `DROP`, and is silenced by this.
    """
    silence(module)
    inputs = (case.x(), case.memory_tensor())[: len(SUBLAYERS[kind]) - 1]
    shift, choices = torch.linspace(1, 2, case.d_model).double(), _choices(case.d_model)
    for index, last in enumerate(SUBLAYERS[kind]):
        own, part = Parameters.of(module), last.partition(".")[0]
        with torch.no_grad():
            own[f"{last}.bias"].copy_(shift)
        what = f"{kind}(x), built with dropout {DROP}, where `{part}` gives the same vector for each token"
        whole = _framed(own, kind, inputs[0], shift, index)
        agree(module.eval()(*inputs), whole, f"in eval mode, {what}", atol=LOOSE)
        what = f"in training mode, {what}"
        result = _with_some_dropped(module.train(), inputs, whole, what)
        again = [_with_some_dropped(module, inputs, whole, what) for _ in range(2)]
        same = torch.equal(again[0], result) and torch.equal(again[1], result)
        require(not same, f"{what}: three calls drop the same entries.")
        shifts = (choices * shift / (1 - DROP))[:, None, None]  # (2 ** d_model, 1, 1, d_model)
        candidates = _framed(own, kind, inputs[0].expand(len(choices), *inputs[0].shape), shifts, index)
        nearest, kept = _nearest(result, candidates, choices)
        because = f"Expected is the nearest that comes of zeroing some entries of `{part}`'s result, scaling the rest."
        agree(result, nearest, what, atol=LOOSE, because=because)
        check_choices(kept, torch.ones_like(kept), f"the dropout behind `{part}` in {kind}")
        with torch.no_grad():
            own[f"{last}.bias"].zero_()


def check_what_sublayers_read(module: Any, kind: str, case: LayerCase) -> None:
    """Each sublayer in turn gives back what it reads, of one token: one dropout inside it, one behind, none before.

    `module` was built with dropout `DROP`, with d_ff = 2 * d_model, and is changed by this. Where it gives something
    else in eval mode already, other laws say so.
    """
    x, memory = case.x(), case.memory_tensor()  # (B, 1, d_model)
    own, choices, one = Parameters.of(module), _choices(case.d_model), torch.eye(case.d_model).double()
    for index, last in enumerate(SUBLAYERS[kind]):
        silence(module)
        part = last.partition(".")[0]
        maps = {"fc1": torch.cat([one, -one]), "fc2": torch.cat([one, -one], dim=1)}
        with torch.no_grad():
            for name, weight in maps.items() if part == "ffn" else {"w_v": one, "w_o": one}.items():
                own[f"{part}.{name}.weight"].copy_(weight)
                own[f"{part}.{name}.bias"].zero_()
        reads = x
        for name in NORMS[kind][:index]:
            reads = norm(own, name, reads)
        reads = (memory if part == "cross_attn" else reads).detach()
        inputs = (x, memory)[: len(SUBLAYERS[kind]) - 1]
        what = f"{kind}(x), built with dropout {DROP}, where `{part}` gives back the one token that it reads"
        result, plain = (
            check_tensor(module.train(mode)(*inputs), what, shape=x.shape).detach() for mode in (True, False)
        )
        if moves(plain, _framed(own, kind, x, reads, index), LOOSE).any():
            continue
        shifts = choices[:, None, None] * reads / (1 - DROP) ** 2  # (2 ** d_model, B, 1, d_model)
        nearest, _ = _nearest(result, _framed(own, kind, x.expand(shifts.shape), shifts, index), choices)
        because = "Expected is the nearest that comes of one dropout inside it and one on its result; what it reads is"
        agree(result, nearest, f"in training mode, {what}", atol=LOOSE, because=f"{because} not dropped.")


def embedded_case(seed: int) -> ModelCase:
    """Tokens enough to tell one draw for each entry from two, and features so few that all choices can be tried."""
    return ModelCase(8, 20, 18, 2, 3, 3, 3, 0, seed, max_len=20, dropout=DROP)


def check_fresh_draws(model: Any, case: ModelCase) -> None:
    """No two calls drop the same entries. `model` has dropout."""
    src, tgt = case.src(), case.tgt()
    memory = random_tensor((case.batch, case.src_len, case.d_model), case.seed)
    calls = {
        "encode(src)": lambda: model.encode(src),
        "decode(tgt, memory)": lambda: model.decode(tgt, memory),
        "model(src, tgt)": lambda: model(src, tgt),
    }
    model.train(True)
    for what, call in calls.items():
        first, second = (check_tensor(call(), what) for _ in range(2))
        same = first.shape == second.shape and torch.equal(first, second)
        require(not same, f"in training mode with dropout {case.dropout}, two calls of {what} dropped the same.")


def check_embeddings(model: Any, case: ModelCase) -> None:
    """Without sublayers, encode and decode give norms of the embeddings, of which each entry is dropped or scaled.

    `model` was built for an `embedded_case`. It is silenced by this, and its embeddings are moved away from zero.
    """
    silence(model)
    own, choices = Parameters.of(model), _choices(case.d_model)
    src, tgt = case.src(), case.tgt()
    memory = random_tensor((case.batch, case.src_len, case.d_model), case.seed)
    for kind, side, ids, call in (
        ("EncoderLayer", "src", src, lambda it: it.encode(src)),
        ("DecoderLayer", "tgt", tgt, lambda it: it.decode(tgt, memory)),
    ):
        with torch.no_grad():
            own[f"{side}_embed.weight"].add_(2 * own[f"{side}_embed.weight"].sign())
        x = embed(own, side, ids).detach()  # (B, T, d_model)
        candidates = choices[:, None, None] * x / (1 - DROP)  # (2 ** d_model, B, T, d_model)
        for one in own.layers(STACKS[kind]):
            candidates = norms_only(one, kind, candidates).detach()
        what = f"what comes out of the {STACKS[kind]} when all sublayers give zero, built with dropout {DROP}"
        undropped, result = (
            check_tensor(call(model.train(mode)), what, shape=x.shape).detach() for mode in (False, True)
        )
        if moves(undropped, candidates[-1], LOOSE).any():
            continue  # these are other embeddings, or other layers: laws without dropout say so
        nearest, kept = _nearest(result, candidates, choices)
        because = f"Expected is the nearest that comes of zeroing some entries of {side}'s embeddings with positions."
        agree(result, nearest, f"in training mode, {what}", atol=LOOSE, because=because)
        check_choices(kept, torch.ones_like(kept), f"the dropout on {side}'s embeddings with positions")


def check_all_dropped(layer: Any, kind: str, x: Tensor, what: str) -> None:
    """In a layer that drops everything, `what`, nothing is left to chance inside its parts: none has another rate."""
    for part in (last.partition(".")[0] for last in SUBLAYERS[kind]):
        words = f"in a model that should drop everything, {what}.{part} gives equal samples different results"
        words = f"{words}: inside it, something is dropped with another probability than `dropout`."
        require(not _leaves_to_chance(layer, part, x, what), words)


def check_parts(layers: Mapping[str, Any], kind: str, x: Tensor, what: str) -> None:
    """Each attention and each feed-forward network of these layers, in training mode, drops something inside.

    `what` has the layers, by their names as in ".encoder.0".
    """
    without = []
    for name, part in product(layers, [last.partition(".")[0] for last in SUBLAYERS[kind]]):
        if not _leaves_to_chance(layers[name], part, x, f"{what}{name}"):
            without.append(f"{name}.{part}")
    message = f"nothing is dropped in training mode inside {what}, in {', '.join(without)}"
    require(not without, f"{message}: equal samples get equal results there.")


def _leaves_to_chance(layer: Any, part: str, x: Tensor, what: str) -> bool:
    """Whether an attention or a feed-forward network that sees each sample of `x` (B, T, d_model) twice treats them
    differently: no dropout acts on both alike."""
    twins = torch.cat([x, x])  # (2 B, T, d_model)
    result = getattr(layer, part)(*((twins,) if part == "ffn" else (twins, twins, twins)))
    output = result[0] if isinstance(result, tuple | list) else result  # an attention gives a pair
    check_tensor(output, f"the result of {what}.{part}", shape=twins.shape)
    return bool(moves(output[: len(x)], output[len(x) :]).any())


def _with_some_dropped(module: Any, inputs: tuple[Tensor, ...], whole: Tensor, what: str) -> Tensor:
    """A result of the layer that is not the `whole` one, of which nothing was dropped."""
    results = (check_tensor(module(*inputs), what, shape=whole.shape) for _ in range(TRIES))
    result = next((each for each in results if bool(moves(each, whole, LOOSE).any())), None)
    if result is None:
        broken(f"{what}, the result is {TRIES} times the one of eval mode: nothing is dropped.")
    return result


def _framed(own: Parameters, kind: str, x: Tensor, shift: Tensor, index: int) -> Tensor:
    """What a layer makes of `x` when sublayer `index` gives `shift` and the others zero."""
    for number, name in enumerate(NORMS[kind]):
        x = norm(own, name, x + shift if number == index else x).detach()
    return x


def _choices(features: int) -> Tensor:
    """All that can be kept of `features` entries: (2 ** features, features)."""
    return torch.cartesian_prod(*[torch.tensor([False, True])] * features)


def _nearest(result: Tensor, candidates: Tensor, choices: Tensor) -> tuple[Tensor, Tensor]:
    """Of the `candidates`, (choices, ..., features), the nearest to each row of `result`, and which choice it is."""
    best = (candidates - result).abs().amax(-1).argmin(0)  # (...)
    nearest = candidates.gather(0, best[None, ..., None].expand(1, *result.shape))[0]  # (..., features)
    return nearest, choices[best]
