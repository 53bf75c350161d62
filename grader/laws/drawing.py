"""Small tensors side by side, as plain aligned text."""

import torch
from torch import Tensor

MAX_ROWS, MAX_COLUMNS = 6, 6
GAP = "   "


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


def block(title: str, matrix: Tensor) -> list[str]:
    """The lines of one titled matrix, cut to a readable size."""
    rows, columns = matrix.shape
    shown = matrix[:MAX_ROWS, :MAX_COLUMNS].tolist()
    cells = [[number(value) for value in row] + (["…"] if columns > MAX_COLUMNS else []) for row in shown]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))] if cells and cells[0] else []
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
    if rows > MAX_ROWS:
        lines.append("…")
    return [title, *lines]


def side_by_side(named: dict[str, Tensor], lead: tuple[int, ...] = ()) -> str:
    """Titled matrices next to each other; tensors of more than two axes show their slice at `lead`."""
    blocks = [block(name, slice_at(tensor, lead)) for name, tensor in named.items()]
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
