"""Dropout, seen through what it leaves: which entries were kept, and whether each was decided on its own."""

from typing import Any

import torch
from torch import Tensor

from grader.laws.compare import agree, broken, check_tensor, require
from grader.laws.model_cases import LayerCase
from grader.laws.module_checks import NORMS, moves, norm
from grader.laws.oracles import Parameters

DROP = 0.25
"""Not a half, where what is kept and what is dropped could be mistaken for each other."""

TRIES = 16
"""Calls after which dropout was seen, even one that decides once for a whole call."""

ATOL = 2e-3
"""Leaves room for another small epsilon in the norms."""

SUBLAYERS = {
    "EncoderLayer": ("self_attn.w_o", "ffn.fc2"),
    "DecoderLayer": ("self_attn.w_o", "cross_attn.w_o", "ffn.fc2"),
}
"""The last linear map of each sublayer, in the order of use."""


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


def silence(module: Any, kind: str) -> None:
    """Make all sublayers of a layer give zero."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if name.startswith(tuple(f"{last}." for last in SUBLAYERS[kind])):
                parameter.zero_()


def check_each_sublayer(module: Any, kind: str, case: LayerCase) -> None:
    """Each sublayer in turn gives one known vector, the others zero: the layer adds it with some entries dropped.

    `module` was built with dropout `DROP`, and is silenced by this.
    """
    silence(module, kind)
    inputs = (case.x(), case.memory_tensor())[: len(SUBLAYERS[kind]) - 1]
    shift = torch.linspace(1, 2, case.d_model).double()
    for index, last in enumerate(SUBLAYERS[kind]):
        own, part = Parameters.of(module), last.partition(".")[0]
        with torch.no_grad():
            own[f"{last}.bias"].copy_(shift)
        what = f"{kind}(x), built with dropout {DROP}, where `{part}` gives the same vector for each token"
        whole = _framed(own, kind, inputs[0], shift, index)
        agree(module.eval()(*inputs), whole, f"in eval mode, {what}", atol=ATOL)
        what = f"in training mode, {what}"
        result = _with_some_dropped(module.train(), inputs, whole, what)
        nearest, kept = _nearest(result, own, kind, inputs[0], shift, index)
        because = f"Expected is the nearest that comes of zeroing some entries of `{part}`'s result, scaling the rest."
        agree(result, nearest, what, atol=ATOL, because=because)
        check_choices(kept, torch.ones_like(kept), f"the dropout behind `{part}` in {kind}")
        with torch.no_grad():
            own[f"{last}.bias"].zero_()


def _with_some_dropped(module: Any, inputs: tuple[Tensor, ...], whole: Tensor, what: str) -> Tensor:
    """A result of the layer that is not the `whole` one, of which nothing was dropped."""
    results = (check_tensor(module(*inputs), what, shape=whole.shape) for _ in range(TRIES))
    result = next((each for each in results if bool(moves(each, whole, ATOL).any())), None)
    if result is None:
        broken(f"{what}, the result is {TRIES} times the one of eval mode: nothing is dropped.")
    return result


def _framed(own: Parameters, kind: str, x: Tensor, shift: Tensor, index: int) -> Tensor:
    """What a layer makes of `x` when sublayer `index` gives `shift` and the others zero."""
    for number, name in enumerate(NORMS[kind]):
        x = norm(own, name, x + shift if number == index else x).detach()
    return x


def _nearest(result: Tensor, own: Parameters, kind: str, x: Tensor, shift: Tensor, index: int) -> tuple[Tensor, Tensor]:
    """Of all that the layer could give for `x` (B, T, d_model), each token's nearest to `result`, and what it keeps."""
    bits = [torch.tensor([False, True])] * shift.numel()
    choices = torch.cartesian_prod(*bits)  # (2 ** d_model, d_model)
    shifts = (choices * shift / (1 - DROP))[:, None, None]  # (2 ** d_model, 1, 1, d_model)
    candidates = _framed(own, kind, x.expand(len(choices), *x.shape), shifts, index)  # (2 ** d_model, B, T, d_model)
    best = (candidates - result).abs().amax(-1).argmin(0)  # (B, T)
    nearest = candidates.gather(0, best[None, ..., None].expand(1, *x.shape))[0]  # (B, T, d_model)
    return nearest, choices[best]
