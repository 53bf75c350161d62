"""Tensors for laws: drawn by seed, easy to read, exact in every floating dtype, in several memory layouts."""

from collections.abc import Sequence
from typing import Literal

import torch
from hypothesis import strategies as st
from torch import Tensor

Layout = Literal["contiguous", "transposed", "expanded"]

seeds = st.integers(0, 2**16 - 1)
layouts: st.SearchStrategy[Layout] = st.sampled_from(("contiguous", "transposed", "expanded"))


def generator(seed: int) -> torch.Generator:
    """A fresh CPU generator, so that laws never touch the global one."""
    return torch.Generator().manual_seed(seed)


def random_tensor(
    shape: Sequence[int],
    seed: int,
    *,
    dtype: torch.dtype = torch.float64,
    layout: Layout = "contiguous",
    scale: float = 1.0,
) -> Tensor:
    """Normal values rounded to eighths (exact in bfloat16 and above up to |4|), times `scale`.

    `transposed` keeps the last two axes swapped in memory; `expanded` repeats the first slice along the first
    axis with stride 0. Both hold ordinary values; only `view` and in-place code can tell.
    """
    values = torch.randn(tuple(shape), generator=generator(seed), dtype=torch.float64)
    return laid_out((values.clamp(-4, 4) * 8).round().div(8).mul(scale).to(dtype), layout)


def laid_out(values: Tensor, layout: Layout) -> Tensor:
    """`values` in another memory layout; `expanded` has only those of the first slice."""
    if layout == "transposed" and values.dim() >= 2:
        return values.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "expanded" and values.dim() >= 1:
        return values[:1].expand(values.shape)
    return values


def random_ids(shape: Sequence[int], seed: int, *, low: int, high: int) -> Tensor:
    """Token ids, uniform over `low .. high - 1`, int64."""
    return torch.randint(low, high, tuple(shape), generator=generator(seed))


def random_mask(shape: Sequence[int], seed: int, *, keep: float = 0.6) -> Tensor:
    """A boolean mask, True with probability `keep`; whole rows may be False."""
    return torch.rand(tuple(shape), generator=generator(seed)) < keep


def tolerance(dtype: torch.dtype, *, terms: int = 1, scale: float = 1.0) -> float:
    """Absolute error that rounding alone may cause in a sum of `terms` products of size `scale`.

    Each of the `terms` additions and products loses at most half a unit in the last place; the factor 32 covers
    the few operations around the sum (scale, exp, division) and any order of evaluation.
    """
    return 32.0 * float(torch.finfo(dtype).eps) * max(1, terms) * max(1.0, scale)
