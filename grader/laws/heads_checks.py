"""Checks of multi-head attention in every pair of circumstances: sizes, masks, dtypes, modes, and what goes in."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from grader.laws.compare import agree, check_gradient, check_gradients, check_tensor, require
from grader.laws.interface import Implementation
from grader.laws.model_cases import MASK_KINDS, HeadsCase
from grader.laws.module_checks import CLOSE, EXACT, Inputs, agree_with_torch, attention, backward, learning, run
from grader.laws.oracles import Parameters, named_parameters
from grader.laws.pairwise import pairwise
from grader.laws.tensors import random_tensor, tolerance

ROUNDING = {torch.float64: EXACT, torch.float32: CLOSE, torch.float16: tolerance(torch.float16)}
"""The absolute error that each dtype may cause in values of size one."""

_SIZES: dict[str, Sequence[Any]] = {
    "dtype": tuple(ROUNDING),
    "batch": (3, 1),
    "heads": (2, 1),
    "queries": (4, 1),
    "inputs": ("query, memory, memory", "x, x, x", "query, key, value"),
}


def check_every_circumstance(impl: Implementation, seed: int) -> None:
    """Output and weights are torch's for all sizes, masks, dtypes and inputs, in both modes, with gradients or not."""
    factors = {
        **_SIZES,
        "mask": (None, *MASK_KINDS),
        "training": (False, True),
        "gradients": (True, False),
        "zeros": (False, True),
    }
    for row in pairwise(factors, seed):
        case, inputs = _drawn(row, seed)
        if row["zeros"]:  # a token of zeros is one like any other
            inputs = _given(row["inputs"], *(x.index_fill(1, torch.tensor(x.size(1) - 1), 0.0) for x in inputs))
        mha, mask = _module(impl, case, row).train(row["training"]), _mask(case, row["mask"])
        with torch.set_grad_enabled(row["gradients"]):
            because = f"Here: {_words(case, row)}."
            agree_with_torch(mha, case, inputs, mask, because=because, atol=ROUNDING[row["dtype"]])


def check_every_gradient(impl: Implementation, seed: int) -> None:
    """Every parameter gets a gradient, and the inputs that ask for one, whatever the circumstances."""
    factors = {**_SIZES, "mask": (None, *MASK_KINDS), "training": (False, True), "leaf": ("none", "query", "value")}
    for row in pairwise(factors, seed):
        case, inputs = _drawn(row, seed)
        mha = _module(impl, case, row, frozen=False).train(row["training"])
        leaves = {name: x for name, x in zip(("query", "key", "value"), inputs, strict=True) if name == row["leaf"]}
        for leaf in leaves.values():
            leaf.requires_grad_()
        asks = "only the parameters ask" if row["leaf"] == "none" else f"the {row['leaf']} asks"
        where = f" ({_words(case, row)}; {asks} for gradients)"
        output, _ = run(mha, inputs, _mask(case, row["mask"], thin=True))
        require(output.requires_grad, f"the output carries no gradient at all{where}.")
        backward((output * random_tensor(output.shape, seed, dtype=row["dtype"])).sum(), where)
        check_gradients(learning(leaves | named_parameters(mha)), where)


def check_shared_gradient(mha: Any, case: HeadsCase) -> None:
    """A tensor that is several inputs at once gets the sum of the gradients that they get apart."""
    x, memory, _ = case.inputs()
    direction = random_tensor(x.shape, case.seed + 9)
    for kind, shared, inputs in (("self", x, (x, x, x)), ("cross", memory, (x, memory, memory))):
        apart = tuple(tensor.detach().clone().requires_grad_() for tensor in inputs)
        together = shared.clone().requires_grad_()
        joined = tuple(together if tensor is shared else tensor for tensor in inputs)
        for given in (apart, joined):
            backward((run(mha, (given[0], given[1], given[2]))[0] * direction).sum(), f" in {kind}-attention")
        what = f"the {'input' if kind == 'self' else 'key and value'}, one tensor in {kind}-attention"
        found = check_gradient(together.grad, what, shape=x.shape)
        parts = [part.grad for part, tensor in zip(apart, inputs, strict=True) if tensor is shared]
        expected = torch.stack([torch.zeros_like(x) if part is None else part for part in parts]).sum(0)
        because = "Expected is the sum of the gradients that query, key and value get if they are tensors of their own."
        agree(found, expected, f"the gradient of {what},", atol=EXACT, because=because)


def check_every_blind_query(impl: Implementation, seed: int) -> None:
    """A query that sees nothing has zero weights, and the bias of w_o as its output, whatever the circumstances."""
    factors = {
        **_SIZES,
        "keys": (4, 1),
        "mask": MASK_KINDS,
        "dropout": (None, 0.0, 0.5),
        "gradients": (True, False),
    }
    for row in pairwise(factors, seed):
        row["training"] = row["dropout"] is not None
        case, inputs = _drawn(row, seed, keys=row["keys"])
        mha = _module(impl, case, row, dropout=row["dropout"] or 0.0).train(row["training"])
        mask = torch.ones_like(case.mask(row["mask"]))
        mask[0] = False  # the first sample of four axes, the first query of two
        with torch.set_grad_enabled(row["gradients"]):
            output, weights = run(mha, inputs, mask)
        shape = (case.batch, case.heads, case.tq, case.tk)
        blind = ~mask.expand(shape)  # (B, H, Tq, Tk)
        where = f"of queries that see nothing ({_words(case, row)})"
        check_tensor(weights, "weights", shape=shape)
        agree(weights * blind, torch.zeros_like(weights), f"weights {where}", atol=0.0, given={"mask": mask})
        own = Parameters.of(mha)
        bias = own["w_o.bias"].detach() if "w_o.bias" in own else torch.zeros(case.d_model, dtype=row["dtype"])
        dead = blind[:, 0, :, :1]  # (B, Tq, 1): here in all heads alike
        expected = torch.where(dead, bias, output)
        agree(output, expected, f"output {where}", atol=ROUNDING[row["dtype"]], given={"mask": mask})


def _drawn(row: dict[str, Any], seed: int, keys: int = 5) -> tuple[HeadsCase, Inputs]:
    """The case of a row, and its three inputs."""
    queries = keys if row["inputs"] == "x, x, x" else row["queries"]
    case = HeadsCase(row["batch"], row["heads"], d_k=3, tq=queries, tk=keys, seed=seed, bias=row["heads"] == 1)
    return case, _given(row["inputs"], *case.inputs(row["dtype"]))


def _given(which: str, query: Tensor, key: Tensor, value: Tensor) -> Inputs:
    if which == "x, x, x":
        return query, query, query
    return (query, key, key) if which == "query, memory, memory" else (query, key, value)


def _module(impl: Implementation, case: HeadsCase, row: dict[str, Any], **options: Any) -> Any:
    return attention(impl, case, **options).to(row["dtype"])


def _mask(case: HeadsCase, kind: str | None, *, thin: bool = False) -> Tensor | None:
    """A mask that hides something from each query; a thin one hides one key, so that there is still a choice."""
    if kind is None:
        return None
    mask = case.mask(kind)
    if not thin:
        return mask
    hidden = (torch.arange(mask.numel() // case.tk) % case.tk).view(*mask.shape[:-1], 1)
    return torch.ones_like(mask).scatter(-1, hidden, False)


def _words(case: HeadsCase, row: dict[str, Any]) -> str:
    """The circumstances of a row, to be told."""
    mask = "no mask" if row["mask"] is None else f"a mask {row['mask']}"
    words = [row["inputs"], str(row["dtype"]), mask, "training mode" if row["training"] else "eval mode", str(case)]
    words += [] if row.get("gradients", True) else ["torch.no_grad()"]
    words += [f"dropout {row['dropout']}"] if row.get("dropout") else []
    words += ["the last token of each input is all zeros"] if row.get("zeros") else []
    return ", ".join(words)
