"""What one call did on the side: inputs written into, global state changed, torch shortcuts used."""

from typing import Any

import torch
from torch import Tensor

from grader.laws.global_state import differences, snapshot
from grader.laws.own_work import LibraryWatch


class CallWatch:
    """Watches while it is entered; `report` afterwards says what was seen."""

    def __init__(self, inputs: dict[int, Tensor]) -> None:
        self._inputs = inputs
        self._copies = {position: tensor.detach().clone() for position, tensor in inputs.items()}
        self._library: set[str] = set()
        self._mode = LibraryWatch(self._library)
        self._changed_globals: list[str] = []

    def __enter__(self) -> "CallWatch":
        self._before = snapshot()
        self._mode.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._mode.__exit__(*raised)
        self._changed_globals = differences(self._before, snapshot())

    def report(self) -> dict[str, Any]:
        """What was seen, for the judge."""
        return {
            "inputs": [i for i, tensor in self._inputs.items() if not _same(tensor, self._copies[i])],
            "globals": self._changed_globals,
            "library": sorted(self._library),
        }


def _same(now: Tensor, then: Tensor) -> bool:
    if (now.shape, now.dtype) != (then.shape, then.dtype):
        return False
    if now.is_meta:
        return True
    with torch.no_grad():
        both_nan = (now != now) & (then != then)
        return bool(((now == then) | both_nan).all())
