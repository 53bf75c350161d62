"""Cases for modules: the sizes of attentions, layers and whole models, and the tensors that go in."""

from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from torch import Tensor

from grader.laws.cases import open_mask
from grader.laws.tensors import Layout, random_ids, random_tensor, seeds

MASK_KINDS = ("(Tq, Tk)", "(B, 1, Tq, Tk)", "(B, 1, 1, Tk)", "(B, H, Tq, Tk)")


@dataclass(frozen=True)
class HeadsCase:
    """Sizes of one multi-head attention and of its three inputs."""

    batch: int
    heads: int
    d_k: int
    tq: int
    tk: int
    seed: int
    layout: Layout = "contiguous"
    bias: bool = True

    @property
    def d_model(self) -> int:
        return self.heads * self.d_k

    @property
    def arguments(self) -> dict[str, int]:
        """What an attention is built with."""
        return {"d_model": self.d_model, "num_heads": self.heads}

    def inputs(self, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor, Tensor]:
        """Query (B, Tq, d_model), key and value (B, Tk, d_model), all different."""
        shapes = [(self.batch, length, self.d_model) for length in (self.tq, self.tk, self.tk)]
        query, key, value = (
            random_tensor(shape, self.seed + i, dtype=dtype, layout=self.layout) for i, shape in enumerate(shapes)
        )
        return query, key, value

    def mask(self, kind: str) -> Tensor:
        """A mask of a documented shape in which every query may see something and, of two keys, not everything."""
        shapes = {
            "(Tq, Tk)": (self.tq, self.tk),
            "(B, 1, Tq, Tk)": (self.batch, 1, self.tq, self.tk),
            "(B, 1, 1, Tk)": (self.batch, 1, 1, self.tk),
            "(B, H, Tq, Tk)": (self.batch, self.heads, self.tq, self.tk),
        }
        return open_mask(shapes[kind], self.seed + 7)

    def thin_mask(self, kind: str) -> Tensor:
        """A mask that hides one key from each query, which still has a choice then, and another one from the next."""
        mask = torch.ones_like(self.mask(kind))
        hidden = (torch.arange(mask.numel() // self.tk) % self.tk).view(*mask.shape[:-1], 1)
        return mask.scatter(-1, hidden, False)

    def square_mask(self) -> Tensor:
        """A mask (B, 1, Tq, Tq) for self-attention."""
        return open_mask((self.batch, 1, self.tq, self.tq), self.seed + 7)

    def __str__(self) -> str:
        sizes = f"batch {self.batch}, heads {self.heads}, d_k {self.d_k}, Tq {self.tq}, Tk {self.tk}"
        layout = "" if self.layout == "contiguous" else f", inputs {self.layout} in memory"
        return f"{sizes}{'' if self.bias else ', no bias'}{layout}, seed {self.seed}"


def heads_cases() -> st.SearchStrategy[HeadsCase]:
    """Batch, heads, Tq and Tk are all different and at least two, so that no axis can stand for another."""
    return st.builds(
        lambda sizes, **rest: HeadsCase(batch=sizes[0], heads=sizes[1], tq=sizes[2], tk=sizes[3], **rest),
        st.permutations((2, 3, 4, 5)),
        d_k=st.integers(2, 4),
        seed=seeds,
        bias=st.sampled_from((True, False)),
    )


SPECIAL_SIZES: tuple[tuple[HeadsCase, tuple[str | None, ...]], ...] = tuple(
    (HeadsCase(*sizes, seed=31), kinds)
    for sizes, kinds in (
        # batch, heads, d_k, Tq, Tk
        ((2, 1, 4, 3, 2), (None, "(B, 1, Tq, Tk)")),  # a single one alone comes before several of them at once
        ((2, 3, 1, 1, 4), (None, "(B, 1, 1, Tk)", "(B, H, Tq, Tk)")),
        ((2, 2, 1, 2, 1), (None,)),
        ((1, 1, 1, 1, 1), (None,)),
        ((1, 1, 2, 1, 2), (None, "(Tq, Tk)")),
        ((2, 2, 2, 2, 2), (None,)),
        ((1, 2, 3, 4, 4), (None, "(B, H, Tq, Tk)")),
        ((3, 3, 3, 3, 3), (None, *MASK_KINDS)),
        ((1, 16, 2, 140, 9), (None, "(Tq, Tk)", "(B, 1, 1, Tk)")),
        ((2, 4, 21, 3, 4), (None,)),
        ((6, 8, 5, 7, 140), ("(B, 1, 1, Tk)",)),
    )
)
"""Sizes of one, equal sizes and large ones, with the masks to try: where shortcuts for special sizes go wrong."""


@dataclass(frozen=True)
class LayerCase:
    """Sizes of one encoder or decoder layer."""

    batch: int
    heads: int
    d_k: int
    d_ff: int
    length: int
    memory: int
    seed: int

    @property
    def d_model(self) -> int:
        return self.heads * self.d_k

    @property
    def arguments(self) -> dict[str, int]:
        """What a layer is built with."""
        return {"d_model": self.d_model, "num_heads": self.heads, "d_ff": self.d_ff}

    def x(self, dtype: torch.dtype = torch.float64, layout: Layout = "contiguous") -> Tensor:
        """The layer's input (B, T, d_model)."""
        return random_tensor((self.batch, self.length, self.d_model), self.seed, dtype=dtype, layout=layout)

    def memory_tensor(self, dtype: torch.dtype = torch.float64, layout: Layout = "contiguous") -> Tensor:
        """The encoder's output (B, Tm, d_model)."""
        return random_tensor((self.batch, self.memory, self.d_model), self.seed + 1, dtype=dtype, layout=layout)

    def mask(self, keys: int) -> Tensor:
        """A random mask (B, 1, T, keys) that leaves each query something and hides something from it."""
        return open_mask((self.batch, 1, self.length, keys), self.seed + keys)

    def shared_mask(self) -> Tensor:
        """Such a mask for self-attention, the same for the whole batch: (T, T)."""
        return open_mask((self.length, self.length), self.seed + 3)

    def __str__(self) -> str:
        sizes = f"batch {self.batch}, T {self.length}, memory {self.memory}, d_model {self.d_model}"
        return f"{sizes}, heads {self.heads}, d_ff {self.d_ff}, seed {self.seed}"


def layer_cases() -> st.SearchStrategy[LayerCase]:
    """All sizes differ: batch, lengths of target and memory, and heads; d_ff differs from d_model."""
    return st.builds(
        lambda sizes, d_k, extra, seed: LayerCase(
            batch=sizes[0],
            heads=sizes[1],
            d_k=d_k,
            d_ff=sizes[1] * d_k + extra,
            length=sizes[2],
            memory=sizes[3],
            seed=seed,
        ),
        st.permutations((2, 3, 4, 5)),
        d_k=st.integers(2, 3),
        extra=st.sampled_from((1, 3)),
        seed=seeds,
    )


@dataclass(frozen=True)
class ModelCase:
    """Sizes of one whole model and of its token sequences. Ids below `pad_id` and above it are all in use."""

    batch: int
    src_len: int
    tgt_len: int
    heads: int
    d_k: int
    encoders: int
    decoders: int
    pad_id: int
    seed: int
    src_vocab: int = 12
    tgt_vocab: int = 9
    d_ff: int = 7
    max_len: int = 10
    dropout: float = 0.0

    @property
    def d_model(self) -> int:
        return self.heads * self.d_k

    @property
    def arguments(self) -> dict[str, int | float]:
        """All arguments of `Transformer`, by name."""
        return {
            "src_vocab": self.src_vocab,
            "tgt_vocab": self.tgt_vocab,
            "d_model": self.d_model,
            "num_heads": self.heads,
            "num_encoder_layers": self.encoders,
            "num_decoder_layers": self.decoders,
            "d_ff": self.d_ff,
            "max_len": self.max_len,
            "dropout": self.dropout,
            "pad_id": self.pad_id,
        }

    def src(self, *, padded: bool = False) -> Tensor:
        """Source ids (B, Ts); if `padded`, row 0 ends in one `pad_id`, row 1 in two, and so on in turn."""
        ids = self._ids((self.batch, self.src_len), self.src_vocab, self.seed)
        if padded:
            kept = self.src_len - 1 - torch.arange(self.batch) % (self.src_len - 1)
            ids[torch.arange(self.src_len) >= kept.unsqueeze(1)] = self.pad_id
        return ids

    def tgt(self, *, padded: bool = False) -> Tensor:
        """Target ids (B, Tt); if `padded`, `pad_id` stands at the last place and, in row 0, in the middle too."""
        ids = self._ids((self.batch, self.tgt_len), self.tgt_vocab, self.seed + 1)
        if padded:
            ids[:, -1] = self.pad_id
            ids[0, 1] = self.pad_id
        return ids

    def half_hidden_src(self) -> tuple[Tensor, Tensor]:
        """Padded source ids (B, Ts), and a mask (B, 1, 1, Ts) that shows one `pad_id` of each row."""
        ids = self.src(padded=True)
        first = (ids == self.pad_id).cumsum(1) == 1  # at the first `pad_id` of each row
        return ids, ((ids != self.pad_id) | first)[:, None, None, :]

    def mask(self, queries: int, keys: int) -> Tensor:
        """A random mask (B, 1, queries, keys) that leaves each query something and hides something from it."""
        return open_mask((self.batch, 1, queries, keys), self.seed + queries + keys)

    def _ids(self, shape: tuple[int, int], vocab: int, seed: int) -> Tensor:
        """Ids without `pad_id`. The lowest and the highest occur, and neighbours differ."""
        ids = random_ids(shape, seed, low=0, high=vocab - 1)
        ids = ids + (ids >= self.pad_id)
        ids[0, 0] = vocab - 1
        ids[-1, 0] = 1 if self.pad_id == 0 else 0
        return ids

    def __str__(self) -> str:
        sizes = f"batch {self.batch}, Ts {self.src_len}, Tt {self.tgt_len}, d_model {self.d_model}, heads {self.heads}"
        return f"{sizes}, {self.encoders} + {self.decoders} layers, pad_id {self.pad_id}, seed {self.seed}"


def model_cases(*depths: tuple[int, int]) -> st.SearchStrategy[ModelCase]:
    """All sizes differ. `depths` are the numbers of encoder and decoder layers to choose from.

    One of each will do for what lies around the stacks: each layer costs a dozen parameters that travel.
    """
    return st.builds(
        lambda sizes, depth, **rest: ModelCase(
            batch=sizes[0], src_len=sizes[1], tgt_len=sizes[2], encoders=depth[0], decoders=depth[1], **rest
        ),
        st.permutations((3, 4, 5)),
        st.sampled_from(depths or ((1, 1),)),
        heads=st.sampled_from((2, 3)),
        d_k=st.sampled_from((3, 4)),
        pad_id=st.sampled_from((0, 5)),
        seed=seeds,
    )


def attention_shapes(d_model: int, *, bias: bool = True) -> dict[str, tuple[int, ...]]:
    """The parameters of a MultiHeadAttention and their shapes."""
    projections = ("w_q", "w_k", "w_v", "w_o")
    shapes: dict[str, tuple[int, ...]] = {f"{name}.weight": (d_model, d_model) for name in projections}
    return shapes | ({f"{name}.bias": (d_model,) for name in projections} if bias else {})


def layer_shapes(d_model: int, d_ff: int, *, decoder: bool) -> dict[str, tuple[int, ...]]:
    """The parameters of an EncoderLayer or a DecoderLayer and their shapes."""
    shapes: dict[str, tuple[int, ...]] = {
        "ffn.fc1.weight": (d_ff, d_model),
        "ffn.fc1.bias": (d_ff,),
        "ffn.fc2.weight": (d_model, d_ff),
        "ffn.fc2.bias": (d_model,),
    }
    for part in ("self_attn", "cross_attn") if decoder else ("self_attn",):
        shapes |= {f"{part}.{name}": shape for name, shape in attention_shapes(d_model).items()}
    norms = ("norm1", "norm2", "norm3") if decoder else ("norm1", "norm2")
    return shapes | {f"{norm}.{kind}": (d_model,) for norm in norms for kind in ("weight", "bias")}


def model_shapes(case: ModelCase) -> dict[str, tuple[int, ...]]:
    """The parameters of a Transformer and their shapes."""
    shapes: dict[str, tuple[int, ...]] = {
        "src_embed.weight": (case.src_vocab, case.d_model),
        "tgt_embed.weight": (case.tgt_vocab, case.d_model),
        "out_proj.weight": (case.tgt_vocab, case.d_model),
        "out_proj.bias": (case.tgt_vocab,),
    }
    for stack, depth in (("encoder", case.encoders), ("decoder", case.decoders)):
        layer = layer_shapes(case.d_model, case.d_ff, decoder=stack == "decoder")
        for i in range(depth):
            shapes |= {f"{stack}.{i}.{name}": shape for name, shape in layer.items()}
    return shapes
