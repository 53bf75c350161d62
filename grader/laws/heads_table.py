"""Circumstances of multi-head attention, sizes, masks, dtypes and modes, in tables that have every two together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from grader.laws.interface import Implementation
from grader.laws.model_cases import MASK_KINDS, HeadsCase
from grader.laws.module_checks import CLOSE, EXACT, Inputs, attention
from grader.laws.pairwise import pairwise
from grader.laws.tensors import laid_out, tolerance

ROUNDING = {torch.float64: EXACT, torch.float32: CLOSE, torch.float16: tolerance(torch.float16), torch.bfloat16: 0.1}
"""The absolute error that each dtype may cause in values of size one."""

_CAUSAL = "(Tq, Tk), causal"

_FACTORS: Mapping[str, Sequence[Any]] = {
    "dtype": tuple(ROUNDING),
    "batch": (3, 1),
    "heads": (2, 1),
    "queries": (4, 1),
    "inputs": ("query, memory, memory", "x, x, x", "query, key, value"),
    "mask": (None, *MASK_KINDS, _CAUSAL),
    "bias": (True, False),
}
_OTHERWISE = {
    "dtype": torch.float64,
    "bias": True,
    "keys": 5,
    "layout": "contiguous",
    "dropout": 0.0,
    "training": False,
    "learning": False,
    "inputs_ask": False,
    "gradients": True,
    "zeros": False,
}
"""What a table without that factor has in all its rows."""


class Circumstances:
    """What an attention is built with, and called with: one row of a table."""

    def __init__(self, row: Mapping[str, Any], seed: int) -> None:
        self._row = {**_OTHERWISE, **row, **row.get("sizes", {})}
        keys = self["keys"]
        queries = keys if self["inputs"] == "x, x, x" else self["queries"]
        batch, heads = self["batch"], self["heads"]
        bias, layout = self["bias"], self["layout"]
        self.case = HeadsCase(batch, heads, d_k=3, tq=queries, tk=keys, seed=seed, bias=bias, layout=layout)
        self.dtype: torch.dtype = self["dtype"]
        self.atol = ROUNDING[self.dtype]

    def __getitem__(self, factor: str) -> Any:
        return self._row[factor]

    def but(self, **changes: Any) -> "Circumstances":
        """The same with other values of some factors."""
        return Circumstances({**self._row, **changes}, self.case.seed)

    def inputs(self, seed: int = 0) -> Inputs:
        """Query, key and value, other ones for another seed: three tensors, two, or one."""
        query, key, value = replace(self.case, seed=self.case.seed + seed).inputs(self.dtype)
        if self["zeros"]:  # a token of zeros is one like any other
            query, key, value = (x.index_fill(1, torch.tensor(x.size(1) - 1), 0.0) for x in (query, key, value))
        if self["inputs"] == "x, x, x":
            return query, query, query
        return (query, key, key) if self["inputs"] == "query, memory, memory" else (query, key, value)

    def module(self, impl: Implementation) -> Any:
        """A student's attention, in the dtype and the mode of the row; it is frozen unless the row has it learn."""
        built = attention(impl, self.case, dropout=self["dropout"], frozen=not self["learning"])
        return built.to(self.dtype).train(self["training"])

    def mask(self) -> Tensor | None:
        """A mask that hides something from each query, laid out as the inputs are."""
        if self["mask"] is None:
            return None
        if self["mask"] == _CAUSAL:
            return torch.ones(self.case.tq, self.case.tk, dtype=torch.bool).tril()
        return laid_out(self.case.mask(self["mask"]), self["layout"])

    def thin_mask(self) -> Tensor | None:
        """A mask that hides one key from each query, which still has a choice then, and another one from the next."""
        if self["mask"] is None:
            return None
        return self.case.thin_mask(self["mask"].removesuffix(", causal"))

    def __str__(self) -> str:
        mask = "no mask" if self["mask"] is None else f"a mask {self['mask']}"
        mode = "training mode" if self["training"] else "eval mode"
        words = [f"mha({self['inputs']})", f"in {self.dtype}", mask, mode, str(self.case)]
        words += [] if self["gradients"] else ["torch.no_grad()"]
        words += [f"dropout {self['dropout']}"] if self["dropout"] else []
        words += ["the last token of each input is all zeros"] if self["zeros"] else []
        return ", ".join(words)


def circumstances(seed: int, **factors: Sequence[Any]) -> Iterator[Circumstances]:
    """Rows in which every value of a factor stands beside every value of each other one.

    The factors are sizes, dtypes, inputs and masks, and those that are given here, which may stand for one of them;
    `sizes` are several at once.
    """
    for row in pairwise({**_FACTORS, **factors}, seed):
        yield Circumstances(row, seed)
