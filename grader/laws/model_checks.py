"""Checks of layers and of whole models in every pair of circumstances."""

from typing import Any

import torch
from torch import Tensor

from grader.laws.compare import agree, agree_on_gradients, check_tensor, holds, in_its_own_sizes, require
from grader.laws.interface import Implementation
from grader.laws.model_table import BOTH, LONG, Circumstances, Tensors, circumstances
from grader.laws.module_checks import CLOSE, LOOSE, NEARLY_ONE, backward, keeps_parameters, learning
from grader.laws.oracles import Parameters, draw_parameters, linear, may_attend, named_parameters
from grader.laws.side_effects import leaves_alone
from grader.laws.tensors import random_tensor

HALF_ATOL = {dtype: 64 * torch.finfo(dtype).eps for dtype in (torch.float16, torch.bfloat16)}
"""Right layers and models of these sizes are wrong by a tenth of it."""

BY_PARTS = "Expected is out_proj of your own decode(tgt, encode(src), causal mask)."


@in_its_own_sizes
def check_every_result(impl: Implementation, kind: str, seed: int) -> None:
    """The result is torch's for all sizes and masks, in both modes, with gradients or not."""
    for here in circumstances(kind, seed):
        module, inputs, masks = here.module(impl), here.inputs(), here.masks()
        with torch.set_grad_enabled(here["gradients"]):
            result = here.call(module, inputs, masks)
            expected = here.by_torch(Parameters.of(module), inputs, masks)
        agree(result, expected.to(here.dtype), str(here), atol=LOOSE, given={**inputs, **masks})


@in_its_own_sizes
def check_long_and_deep(impl: Implementation, kind: str, seed: int) -> None:
    """Of many tokens, or many layers, each one counts."""
    depth = 1 if kind == "forward" else 5
    usual = next(circumstances(kind, seed, few=True, dtype=(torch.float64,), padded=(False,)))
    here = usual.but(batch=1, length=LONG - 10, memory=LONG - 9, depth=depth, gradients=True)
    module, inputs, masks = here.module(impl), here.inputs(), here.masks()
    if kind == "forward":
        expected, because = by_parts(module, here["pad_id"], **inputs), BY_PARTS
    else:
        expected, because = (
            here.by_torch(Parameters.of(module), inputs, masks),
            "Is a size or a number fixed somewhere?",
        )
    agree(here.call(module, inputs, masks), expected, str(here), atol=LOOSE, because=because)


@in_its_own_sizes
def check_every_blind_query(impl: Implementation, kind: str, seed: int) -> None:
    """For a query that sees nothing, attention gives no more than its last bias, whatever the circumstances.

    Where the result is wrong without a mask already, other laws say so.
    """
    for here in circumstances(kind, seed, few=True, depth=(1,)):
        module, inputs, masks = here.module(impl), here.inputs(), here.masks()
        own, opened = Parameters.of(module), {name: torch.ones_like(mask) for name, mask in masks.items()}
        with torch.set_grad_enabled(here["gradients"]):
            for name, mask in opened.items() if holds(_check_result, module, here, inputs, opened) else ():
                part = "cross_attn" if name == "memory_mask" else "self_attn"
                valueless = Parameters({n: value * (f"{part}.w_v." not in n) for n, value in own.items()})
                plain, blind = (here.by_torch(each, inputs, opened) for each in (own, valueless))
                hiding = mask.clone()
                hiding[0] = False  # the first sample of four axes, the first query of two
                sees = hiding.any(-1, keepdim=True).expand(here["batch"], here["heads"], here["length"], 1)[:, 0]
                expected = torch.where(sees, plain, blind).to(here.dtype)  # (B, T, d_model)
                because = f"Here: {here}. {name} hides everything from the first query, or from the first sample."
                result = here.call(module, inputs, {**opened, name: hiding})
                agree(result, expected, "the result", atol=LOOSE, given={name: hiding}, because=because)


@in_its_own_sizes
def check_every_join(impl: Implementation, seed: int) -> None:
    """forward is what the model's own parts make, whatever the circumstances; it drops nothing but what they drop."""
    for here in circumstances("forward", seed, dropout=(0.0, NEARLY_ONE)):
        module, inputs = here.module(impl), here.inputs()
        with torch.set_grad_enabled(here["gradients"]):
            result, expected = here.call(module, inputs, {}), by_parts(module, here["pad_id"], **inputs)
        agree(result, expected, str(here), atol=CLOSE, given=inputs, because=BY_PARTS)


def by_parts(module: Any, pad_id: int, src: Tensor, tgt: Tensor) -> Tensor:
    """The logits that the module's own encode and decode lead to, under the masks that forward should make."""
    source, target = may_attend(src, pad_id), may_attend(tgt, pad_id, causal=True)
    memory = check_tensor(module.encode(src, src_mask=source), "encode(src, src_mask)")
    hidden = module.decode(tgt, memory, tgt_mask=target, memory_mask=source)
    hidden = check_tensor(hidden, "decode(tgt, memory, both masks)", shape=(*tgt.shape, memory.size(-1)))
    return linear(Parameters.of(module), "out_proj", hidden)


@in_its_own_sizes
def check_every_padding(impl: Implementation, seed: int) -> None:
    """forward hides padding from what its parts make, whatever the circumstances.

    Where its logits are others without padding already, another law says so.
    """
    for here in circumstances("forward", seed, length=(5,), memory=(5, 4), padded=(True,)):
        module, plain, inputs = here.module(impl), here.but(padded=False).inputs(), here.inputs()
        with torch.set_grad_enabled(here["gradients"]):
            usual, parts = here.call(module, plain, {}), by_parts(module, here["pad_id"], **plain)
            if not torch.allclose(usual, parts, rtol=0, atol=CLOSE):
                continue
            result, expected = here.call(module, inputs, {}), by_parts(module, here["pad_id"], **inputs)
        real = (inputs["tgt"] != here["pad_id"]).unsqueeze(-1)  # (B, Tt, 1)
        because = "Expected is what your own encode and decode lead to under the right masks. Ids of padding: 0."
        agree(torch.where(real, result, 0), torch.where(real, expected, 0), str(here), atol=CLOSE, because=because)


@in_its_own_sizes
def check_every_half(impl: Implementation, kind: str, seed: int) -> None:
    """In half precision the result is about what it is in float64: the right one, or the module's own."""
    for here in circumstances(kind, seed, few=True, dtype=tuple(HALF_ATOL)):
        module, inputs, masks = here.module(impl), here.inputs(), here.masks()
        atol = HALF_ATOL[here.dtype]
        with torch.set_grad_enabled(here["gradients"]):
            result, expected = here.call(module, inputs, masks), here.by_torch(Parameters.of(module), inputs, masks)
            if not torch.allclose(result.double(), expected, rtol=0, atol=atol):
                exact = {name: x.double() if x.is_floating_point() else x for name, x in inputs.items()}
                expected = here.call(module.to(torch.float64), exact, masks)
        because = "Expected is what it gives in float64."
        agree(result, expected.to(here.dtype), str(here), atol=atol, because=because)


@in_its_own_sizes
def check_every_dropout(impl: Implementation, kind: str, seed: int) -> None:
    """In training mode all that dropout acts on is dropped, and in eval mode nothing, whatever the circumstances.

    Where the result is wrong without dropout already, other laws say so.
    """
    for here in circumstances(kind, seed, few=True, dropout=(NEARLY_ONE,)):
        module, inputs, masks = here.module(impl), here.inputs(), here.masks()
        with torch.set_grad_enabled(here["gradients"]):
            without = here.but(dropout=0.0).module(impl)
            if not holds(_check_result, without, here, inputs, masks):
                continue
            result, plain = (here.call(each, inputs, masks) for each in (module, without))
            dropped = here.all_dropped(Parameters.of(module), inputs).to(here.dtype)
        expected, because = (
            (dropped, "Expected is what is left when all is dropped that should be.")
            if here["training"]
            else (plain, "Expected is what a module with dropout 0 gives.")
        )
        agree(result, expected, str(here), atol=LOOSE, because=because)


@in_its_own_sizes
def check_every_gradient(impl: Implementation, kind: str, seed: int) -> None:
    """Every parameter gets the right gradient, and the inputs that ask for one, whatever the circumstances."""
    # Of one key, the weight can't but be one; the embedding of pad_id need not be learned.
    usual = {"length": (4,), "memory": (5, 4), "padded": (False,), "gradients": (True,)}
    for here in circumstances(kind, seed, few=True, **usual, learning=(True,), inputs_ask=BOTH, slope=(1.0, 1e4)):
        module, inputs, masks = here.module(impl), here.inputs(), here.masks(thin=True)
        floating = {name: x for name, x in inputs.items() if x.is_floating_point()}
        asking = {name: x.requires_grad_() for name, x in floating.items() if here["inputs_ask"]}
        where = f" ({here}; {'inputs and' if asking else 'only the'} parameters ask for gradients)"
        result = here.call(module, inputs, masks)
        require(result.requires_grad, f"the result carries no gradient at all{where}.")
        slopes = random_tensor(result.shape, seed, dtype=here.dtype, scale=here["slope"])
        backward((result * slopes).sum(), where)
        exact = here.by_torch(Parameters.of(module), inputs, masks)
        agree_on_gradients(learning(asking | named_parameters(module)), result, exact, slopes, where, atol=LOOSE)


@in_its_own_sizes
def check_every_side_effect(impl: Implementation, kind: str, seed: int) -> None:
    """A call leaves its inputs, its masks, its parameters and the global settings as they are, in whatever
    circumstances."""
    for here in circumstances(kind, seed, few=True, layout=("contiguous", "expanded"), learning=BOTH):
        module, inputs, masks = here.module(impl), here.inputs(), here.masks()
        impl.seed(12345)  # not what a call would seed with
        with (
            keeps_parameters(module, f"a call ({here})"),
            leaves_alone(impl, here.kind, {**inputs, **masks}, str(here), draws=here["training"]),
            torch.set_grad_enabled(here["gradients"]),
        ):
            here.call(module, inputs, masks)


@in_its_own_sizes
def check_forgetting(impl: Implementation, kind: str, seed: int) -> None:
    """A call gives what it should, whatever the same module was called with before, in whatever circumstances.

    Where the first call is wrong already, other laws say so.
    """
    for here in circumstances(kind, seed, few=True, dtype=(torch.float64,)):
        module, first, second, masks = here.module(impl), here.inputs(), here.inputs(seed=1), here.masks()
        others = {name: mask.roll(1, -1) for name, mask in masks.items()}
        with torch.set_grad_enabled(here["gradients"]):
            if not holds(_check_result, module, here, first, masks):
                continue
            before = f"Here: {here}; the same module was called before,"
            if kind == "decode":
                ids = torch.ones(here["batch"], here["memory"], dtype=torch.int64)
                hides_first = torch.arange(ids.size(1)).gt(0).expand(ids.size(0), 1, 1, -1)  # (B, 1, 1, Ts)
                module.encode(ids, src_mask=hides_first)
            for inputs, given in ((first, {}), (second, {}), (second, others), (first, masks)):
                _check_result(module, here, inputs, given, f"{before} with another mask or other inputs.")
            draw_parameters(module, seed + 2)
            _check_result(module, here, first, masks, f"{before} with other parameters.")


def _check_result(module: Any, here: Circumstances, inputs: Tensors, masks: Tensors, because: str = "") -> None:
    result, expected = here.call(module, inputs, masks), here.by_torch(Parameters.of(module), inputs, masks)
    agree(result, expected.to(here.dtype), "the result", atol=LOOSE, because=because)
