"""Functions that the judge calls in a worker beside the student's own."""

import importlib
from typing import Any

import torch
from torch import nn

from grader.laws.global_state import seed as seed
from grader.laws.trip import called_in_turn


def each(module: str, name: str, calls: list[Any]) -> list[Any]:
    """The results of several calls of a student's function."""
    return called_in_turn(getattr(importlib.import_module(module), name), calls)


def optimizer(module: nn.Module, name: str, options: dict[str, Any]) -> torch.optim.Optimizer:
    """`torch.optim.<name>` over the module's parameters."""
    made: torch.optim.Optimizer = getattr(torch.optim, name)(module.parameters(), **options)
    return made


def generator(seed: int) -> torch.Generator:
    """A seeded generator on the CPU, where the exercises draw."""
    return torch.Generator().manual_seed(seed)


def convert(module: nn.Module, dtype: torch.dtype | None, to_meta: bool) -> None:
    """Move a module to another dtype or to the meta device, the student's way of it included."""
    module.to(device="meta" if to_meta else None, dtype=dtype)


def look_up(owner: Any, name: str) -> tuple[str, Any]:
    """An attribute: ("value", it), or ("method", None) when it is to be called."""
    found = getattr(owner, name)
    if callable(found) and not isinstance(found, nn.Module):
        return "method", None
    return "value", found
