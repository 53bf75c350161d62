"""Small tensors as cells of text, and such drawings side by side in plain aligned lines."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

MAX_ROWS, MAX_COLUMNS = 6, 6
CUT = "…"
EXPECTED, YOURS, DIFFERENCE = "expected", "yours", "difference"  # the titles of a comparison
GAP = "   "

Rows = Sequence[Sequence[str]]
Drawing = Mapping[str, Rows]
"""The rows of cells of matrices that belong side by side, by their titles. Plain data, as it stands in a report."""


def number(value: object) -> str:
    """One entry of a tensor, short and unambiguous."""
    if isinstance(value, bool):
        return "T" if value else "."
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if value == 0:
            return "0"  # a negative zero is no news
        return f"{value:.4g}" if 1e-3 <= abs(value) < 1e4 else f"{value:.3g}"
    return str(value)


def slice_at(tensor: Tensor, lead: tuple[int, ...]) -> Tensor:
    """The 2-D slice of `tensor` at the leading indices `lead`; axes of size one count for every index."""
    view = tensor.detach()
    while view.dim() < 2:
        view = view.unsqueeze(0)
    extra = view.dim() - 2
    own = lead[len(lead) - extra :] if extra else ()
    for index in own:
        view = view[min(index, view.shape[0] - 1)]
    while view.dim() > 2:
        view = view[0]
    return view


def draw(named: Mapping[str, Tensor], lead: tuple[int, ...] = ()) -> Drawing:
    """Matrices cut to a readable size; tensors of more than two axes show their slice at `lead`."""
    return {name: _rows(slice_at(tensor, lead)) for name, tensor in named.items()}


def _rows(matrix: Tensor) -> Rows:
    rows, columns = matrix.shape
    shown = matrix[:MAX_ROWS, :MAX_COLUMNS].tolist()
    cells = [[number(value) for value in row] + [CUT] * (columns > MAX_COLUMNS) for row in shown]
    return cells + [[CUT]] * (rows > MAX_ROWS)


def as_text(drawings: Sequence[Drawing]) -> str:
    """Each drawing's titled matrices next to each other, one drawing below the other."""
    return "\n\n".join(_side_by_side([_block(title, rows) for title, rows in each.items()]) for each in drawings)


def _block(title: str, rows: Rows) -> list[str]:
    """The lines of one titled matrix."""
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows), default=0))]
    return [title, *("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=False)) for row in rows)]


def _side_by_side(blocks: list[list[str]]) -> str:
    height = max(len(lines) for lines in blocks)
    widths = [max(len(line) for line in lines) for lines in blocks]
    rows = [
        GAP.join(
            (lines[i] if i < len(lines) else "").ljust(width) for lines, width in zip(blocks, widths, strict=True)
        ).rstrip()
        for i in range(height)
    ]
    return "\n".join(rows)


def worst_slice(actual: Tensor, expected: Tensor) -> tuple[int, ...]:
    """The leading indices of the 2-D slice in which two tensors of one shape differ most."""
    if actual.dim() <= 2 or actual.numel() == 0:
        return ()
    gap = (actual.to(torch.float64) - expected.to(torch.float64)).abs()
    gap = torch.where(gap.isnan(), torch.inf, gap).flatten(-2).amax(-1)  # (lead...)
    flat = int(gap.flatten().argmax())
    return tuple(int(i) for i in torch.unravel_index(torch.tensor(flat), gap.shape))
