"""Circumstances of layers and of whole models, sizes, masks, dtypes and modes, in tables with every two together."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from grader.laws import oracles
from grader.laws.compare import called, check_tensor
from grader.laws.interface import Implementation
from grader.laws.model_cases import MASK_KINDS, HeadsCase, LayerCase, ModelCase
from grader.laws.module_checks import layer, norms_only, transformer
from grader.laws.oracles import Parameters, may_attend
from grader.laws.pairwise import pairwise
from grader.laws.tensors import laid_out, random_tensor

BOTH = (False, True)

Tensors = dict[str, Tensor]
"""Arguments by their names in the contract."""

_ANY = {
    "dtype": (torch.float64, torch.float32),
    "batch": (3, 1, 4),
    "length": (4, 1),
    "training": BOTH,
    "gradients": (True, False),
}
_LAYER = {**_ANY, "layout": ("contiguous", "transposed", "expanded")}
_MODEL = {**_ANY, "layout": ("contiguous", "transposed"), "depth": (1, 2), "pad_id": (0, 5)}
_MEMORY = {"memory": (5, 4, 1)}

_FACTORS: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "FeedForward": _LAYER,
    "EncoderLayer": {**_LAYER, "heads": (2, 1)},
    "DecoderLayer": {**_LAYER, "heads": (2, 1), **_MEMORY},
    "encode": {**_MODEL, "padded": BOTH},
    "decode": {**_MODEL, **_MEMORY, "padded": BOTH},
    "forward": {**_MODEL, **_MEMORY, "length": (4, 2, 1), "same_vocabulary": BOTH},
}
"""Of each kind of call, what there is to choose beside the masks."""

_MASKS = {
    "EncoderLayer": ("mask",),
    "DecoderLayer": ("tgt_mask", "memory_mask"),
    "encode": ("src_mask",),
    "decode": ("tgt_mask", "memory_mask"),
}

_FEW = {"batch": (3, 1), "memory": (5, 1), "layout": ("contiguous",)}
_FEW_MASKS = (None, "(Tq, Tk)", "(B, 1, 1, Tk)")
"""For laws that ask for more than the values: without all shapes, their tables are a third as long."""

_OTHERWISE = {
    "heads": 2,
    "memory": 5,
    "layout": "contiguous",
    "padded": False,
    "same_vocabulary": False,
    "dropout": 0.0,
    "learning": False,
}
"""What a table without that factor has in all its rows."""

PARTS = ("FeedForward", "EncoderLayer", "DecoderLayer")
METHODS = ("encode", "decode", "forward")

_D_K, _D_FF = 6, 15

LONG = 140
"""The `max_len` of all models."""


class Circumstances(ABC):
    """One call of a layer or of a model: what it is built with, and called with. One row of a table."""

    def __init__(self, kind: str, row: Mapping[str, Any], seed: int) -> None:
        self.kind, self.seed, self._row = kind, seed, {**_OTHERWISE, **row}
        self.dtype: torch.dtype = self["dtype"]

    def __getitem__(self, factor: str) -> Any:
        return self._row[factor]

    def but(self, **changes: Any) -> "Circumstances":
        """The same with other values of some factors."""
        return type(self)(self.kind, {**self._row, **changes}, self.seed)

    def module(self, impl: Implementation) -> Any:
        """A student's layer or model, in the dtype and the mode of the row, frozen unless the row has it learn."""
        built = self._built(impl).to(self.dtype).train(self["training"])
        return built.requires_grad_() if self["learning"] else built

    def masks(self, *, thin: bool = False) -> Tensors:
        """The masks that the row calls for; a `thin` one hides one key from each query, another one from the next."""
        named = {}
        for name, kind in ((name, kind) for name, kind in self._row.items() if name.endswith("mask") and kind):
            keys = self["memory" if name == "memory_mask" else "length"]
            case = HeadsCase(self["batch"], self["heads"], _D_K, self["length"], keys, self.seed + keys)
            named[name] = laid_out(case.thin_mask(kind) if thin else case.mask(kind), self["layout"])
        return named

    def call(self, module: Any, inputs: Tensors, masks: Tensors) -> Tensor:
        """The student's result."""
        method = module if self.kind in PARTS or self.kind == "forward" else getattr(module, self.kind)
        with called(f"so: {self}"):
            return check_tensor(method(*inputs.values(), **masks), self.kind)

    @property
    @abstractmethod
    def case(self) -> LayerCase | ModelCase:
        """The sizes."""

    @abstractmethod
    def _built(self, impl: Implementation) -> Any:
        """The module of the row, frozen."""

    @abstractmethod
    def inputs(self, seed: int = 0) -> Tensors:
        """What goes in beside the masks, other ones for another seed."""

    @abstractmethod
    def by_torch(self, own: Parameters, inputs: Tensors, masks: Tensors) -> Tensor:
        """What torch's operators make of it with these parameters, in float64."""

    @abstractmethod
    def all_dropped(self, own: Parameters, inputs: Tensors) -> Tensor:
        """What is left if dropout zeroes all that it acts on, in float64."""

    def __str__(self) -> str:
        masks = [f"{name} {kind}" for name, kind in self._row.items() if name.endswith("mask") and kind]
        words = [f"{self.kind}({', '.join([*self.inputs(), *masks])}) in {self.dtype}"]
        words += [f"{'training' if self['training'] else 'eval'} mode", str(self.case)]
        words += [] if self["gradients"] else ["torch.no_grad()"]
        words += [f"dropout {self['dropout']:.2g}"] if self["dropout"] else []
        words += ["the ids have padding that no mask hides"] if self["padded"] else []
        words += [] if self["layout"] == "contiguous" else [f"inputs {self['layout']} in memory"]
        return ", ".join(words)


class _LayerCircumstances(Circumstances):
    @property
    def case(self) -> LayerCase:
        return LayerCase(self["batch"], self["heads"], _D_K, _D_FF, self["length"], self["memory"], self.seed)

    def _built(self, impl: Implementation) -> Any:
        return layer(impl, self.kind, self.case, dropout=self["dropout"])

    def inputs(self, seed: int = 0) -> Tensors:
        case = replace(self.case, seed=self.seed + seed)
        x = {"x": case.x(self.dtype, self["layout"])}
        return x | ({"memory": case.memory_tensor(self.dtype, self["layout"])} if "Decoder" in self.kind else {})

    def by_torch(self, own: Parameters, inputs: Tensors, masks: Tensors) -> Tensor:
        own, exact = own.double(), [x.double() for x in inputs.values()]
        if self.kind == "FeedForward":
            return oracles.linear(own, "fc2", oracles.linear(own, "fc1", *exact).relu())
        oracle = oracles.encoder_layer if self.kind == "EncoderLayer" else oracles.decoder_layer
        return oracle(own, self.case.heads, *exact, **masks)

    def all_dropped(self, own: Parameters, inputs: Tensors) -> Tensor:
        own, x = own.double(), inputs["x"].double()
        return own["fc2.bias"].expand(x.shape) if self.kind == "FeedForward" else norms_only(own, self.kind, x)


class _ModelCircumstances(Circumstances):
    @property
    def case(self) -> ModelCase:
        length, memory = self["length"], self["memory"]
        src_len, tgt_len = (length, memory) if self.kind == "encode" else (memory, length)
        return ModelCase(
            *(self["batch"], src_len, tgt_len, self["heads"], _D_K),
            encoders=1 if self.kind == "decode" else self["depth"],
            decoders=self["depth"] if self.kind == "decode" else 3 - self["depth"] if self.kind == "forward" else 1,
            pad_id=self["pad_id"],
            seed=self.seed,
            d_ff=_D_FF,
            max_len=LONG,
            tgt_vocab=12 if self["same_vocabulary"] else 9,
            dropout=self["dropout"],
        )

    def _built(self, impl: Implementation) -> Any:
        return transformer(impl, self.case)

    def inputs(self, seed: int = 0) -> Tensors:
        case = replace(self.case, seed=self.seed + seed)
        memory = random_tensor((case.batch, case.src_len, case.d_model), case.seed + 2, dtype=self.dtype)
        named = {"src": self._ids(case.src()), "tgt": self._ids(case.tgt()), "memory": memory}
        taken = {"encode": ("src",), "decode": ("tgt", "memory"), "forward": ("src", "tgt")}[self.kind]
        return {name: laid_out(named[name], self["layout"]) for name in taken}

    def _ids(self, ids: Tensor) -> Tensor:
        """In rows of padding, it stands at the end of the first, in front of the last, between tokens in all, and one
        row of four has nothing else."""
        if self["padded"] and ids.size(1) > 2:
            ids[0, -1] = ids[-1, 0] = self["pad_id"]
            ids[:, 1] = self["pad_id"]
            ids[3:4, 1:] = self["pad_id"]
        return ids

    def by_torch(self, own: Parameters, inputs: Tensors, masks: Tensors) -> Tensor:
        own, heads = own.double(), self.case.heads
        if self.kind == "encode":
            return oracles.encode(own, heads, inputs["src"], masks.get("src_mask"))
        if self.kind == "decode":
            return oracles.decode(own, heads, inputs["tgt"], inputs["memory"].double(), **masks)
        memory = oracles.encode(own, heads, inputs["src"])
        causal = may_attend(inputs["tgt"], self["pad_id"], causal=True)
        hidden = oracles.decode(own, heads, inputs["tgt"], memory, causal)
        return oracles.linear(own, "out_proj", hidden)

    def all_dropped(self, own: Parameters, inputs: Tensors) -> Tensor:
        own, encodes = own.double(), self.kind == "encode"
        side, stack, kind = ("src", "encoder", PARTS[1]) if encodes else ("tgt", "decoder", PARTS[2])
        x = torch.zeros(*inputs[side].shape, self.case.d_model, dtype=torch.float64)  # the embeddings are dropped, too
        for one in own.layers(stack):
            x = norms_only(one, kind, x)
        return x


def circumstances(kind: str, seed: int, *, few: bool = False, **factors: Sequence[Any]) -> Iterator[Circumstances]:
    """Rows for calls of this kind in which every value of a factor stands beside every value of each other one.

    The factors are those of the kind, of which a `few` values will do for some laws, and those that are given here,
    which may stand for one of them.
    """
    made = _LayerCircumstances if kind in PARTS else _ModelCircumstances
    usual = {**_FACTORS[kind], **dict.fromkeys(_MASKS.get(kind, ()), _FEW_MASKS if few else (None, *MASK_KINDS))}
    usual |= {name: values for name, values in _FEW.items() if few and name in usual}
    for row in pairwise(usual | factors, seed):
        yield made(kind, row, seed)
