"""Cases of attention: sizes, a seed, and the tensors that they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from hypothesis import strategies as st
from torch import Tensor

from grader.laws.tensors import Layout, generator, random_mask, random_tensor, seeds


@dataclass(frozen=True)
class AttentionCase:
    """Sizes of queries, keys and values. `lead` are the axes before time: `(B, H)`, or none at all."""

    lead: tuple[int, ...]
    tq: int
    tk: int
    d_k: int
    d_v: int
    seed: int

    def __str__(self) -> str:
        lead = f"leading axes {self.lead}, " if self.lead else ""
        return f"{lead}Tq {self.tq}, Tk {self.tk}, d_k {self.d_k}, d_v {self.d_v}, seed {self.seed}"

    @property
    def scores_shape(self) -> tuple[int, ...]:
        """(..., Tq, Tk)"""
        return (*self.lead, self.tq, self.tk)

    def of_rank(self, axes: int) -> "AttentionCase":
        """The same case with `axes` leading axes: the last ones of `lead`, with more in front as needed."""
        longer = ((2,) * axes + self.lead)[-axes:] if axes else ()
        return replace(self, lead=longer)

    def long(self) -> "AttentionCase":
        """More queries and keys than anyone counts by hand, and less in front of them."""
        return replace(self, lead=(1, 2), tq=self.tq + 130, tk=self.tk + 130)

    def wide(self) -> "AttentionCase":
        """As many features as a real model has."""
        return replace(self, d_k=self.d_k + 60, d_v=self.d_v + 60)

    def square(self) -> "AttentionCase":
        """As many keys as queries: self-attention."""
        return replace(self, tk=self.tq)

    def with_equals(self) -> list["AttentionCase"]:
        """The same case with sizes that are equal in most models, and one of which all are."""
        size = self.tq
        return [
            replace(self, d_v=self.d_k),
            replace(self, tk=self.d_k),
            AttentionCase((size, size), size, size, size, size, self.seed),
        ]

    def alone(self) -> "AttentionCase":
        """The same case with a batch of one."""
        return replace(self, lead=(1, *self.lead[1:]))

    def roomy(self) -> "AttentionCase":
        """One key more, so that a query with a blocked key still has a choice."""
        return replace(self, tk=self.tk + 1)

    def with_ones(self) -> list["AttentionCase"]:
        """The same case with one size after the other set to one."""
        leads = [(*self.lead[:i], 1, *self.lead[i + 1 :]) for i in range(len(self.lead))]
        return [
            replace(self, tq=1),
            replace(self, tk=1),
            replace(self, d_k=1),
            replace(self, d_v=1),
            *(replace(self, lead=lead) for lead in leads),
        ]

    def qkv(
        self, dtype: torch.dtype = torch.float32, *, layout: Layout = "contiguous", scale: float = 1.0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Queries (..., Tq, d_k), keys (..., Tk, d_k), values (..., Tk, d_v); `scale` is for queries and keys."""
        shapes = ((self.tq, self.d_k), (self.tk, self.d_k), (self.tk, self.d_v))
        q, k, v = (
            random_tensor((*self.lead, *shape), self.seed + i, dtype=dtype, layout=layout, scale=factor)
            for i, (shape, factor) in enumerate(zip(shapes, (scale, scale, 1.0), strict=True))
        )
        return q, k, v

    def mask(self, shape: Sequence[int] | None = None) -> Tensor:
        """A mask of `shape`, or of (..., Tq, Tk): each row allows some key and, of two or more, blocks some."""
        return open_mask(self.scores_shape if shape is None else shape, self.seed + 3)

    def thin_mask(self) -> Tensor:
        """A mask (Tq, Tk) that blocks exactly one key of each query."""
        blocked = torch.randint(0, self.tk, (self.tq, 1), generator=generator(self.seed + 3))
        return torch.ones((self.tq, self.tk), dtype=torch.bool).scatter(-1, blocked, False)

    def mask_shapes(self) -> list[tuple[int, ...]]:
        """The shapes of a mask that broadcast to (B, H, Tq, Tk)."""
        batch, heads = self.lead
        return [
            (self.tq, self.tk),
            (1, self.tk),
            (1, 1, 1, self.tk),
            (batch, 1, 1, self.tk),
            (batch, heads, 1, self.tk),
            (batch, 1, self.tq, self.tk),
            (heads, self.tq, self.tk),
            (1, heads, self.tq, self.tk),
            (batch, heads, self.tq, self.tk),
        ]


def attention_cases() -> st.SearchStrategy[AttentionCase]:
    """(B, H) in front; Tq, Tk, d_k and d_v are all different and at least 2, and so are B and H.

    None is a square: what a root of one of them should be, a whole number of another can't be by chance.
    """
    return st.builds(
        lambda lead, sizes, seed: AttentionCase(lead, sizes[0], sizes[1], sizes[2], sizes[3], seed),
        st.sampled_from(((2, 3), (3, 2))),
        st.permutations((2, 3, 5, 6)),
        seeds,
    )


def open_mask(shape: Sequence[int], seed: int) -> Tensor:
    """A random mask in which each row allows at least one key and, of two or more keys, blocks at least one.

    Of two or more keys, neighbours along each axis of rows differ: no row can stand for all.
    """
    mask, keys = random_mask(shape, seed), shape[-1]
    indices = torch.meshgrid(*map(torch.arange, (*shape[:-1], 1)), indexing="ij")
    step = torch.stack(indices).sum(dim=0)  # one more from each row to the next
    allowed = (torch.randint(0, keys, (), generator=generator(seed + 1)) + step) % keys
    return mask.scatter(-1, (allowed - 1) % keys, False).scatter(-1, allowed, True)
