"""A student's `nn.Module` as the judge's mirror sees it: its structure, and what changed since the last look.

Read from the tables of `nn.Module`, so that methods that a student's class overrides do not run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from grader.worker.values import travels

_MAX_NAME = 120


@dataclass
class Seen:
    """A tensor at the last look. `alias` keeps its memory: no new tensor can get the same address."""

    alias: Tensor
    version: int
    requires_grad: bool
    value: Tensor | None = None

    @classmethod
    def at(cls, tensor: Tensor) -> "Seen":
        return cls(tensor.detach(), _version(tensor), tensor.requires_grad)

    def differs(self, tensor: Tensor) -> bool:
        then = self.alias
        return (
            _version(tensor) != self.version
            or tensor.requires_grad != self.requires_grad
            or tensor.data_ptr() != then.data_ptr()
            or (tensor.dtype, tensor.shape, tensor.device) != (then.dtype, then.shape, then.device)
            or (self.value is not None and not torch.equal(tensor, self.value))
        )


class TrackedModule:
    """A module that the judge has a mirror of."""

    def __init__(self, module: nn.Module) -> None:
        self.module = module
        self._seen: dict[str, Seen] = {}
        self._structure: list[Any] = []
        self._modes: list[bool] = []

    def keep_values(self) -> None:
        """Compare values too at the next look: writing through `.data` shows in no version counter."""
        for seen in self._seen.values():
            seen.value = None if seen.alias.is_meta else seen.alias.clone()

    def look(self) -> dict[str, Any] | None:
        """The module's description if anything changed since the last look, with the tensors that changed."""
        nodes = list(_walk(self.module))
        tensors = [(name, tensor) for name, _, tensor in _tensors(nodes)]
        structure = [(name, type(node)) for name, node in nodes] + [name for name, _ in tensors]
        modes = [node.training for _, node in nodes]
        changed = {name for name, tensor in tensors if name not in self._seen or self._seen[name].differs(tensor)}
        if not changed and structure == self._structure and modes == self._modes:
            for seen in self._seen.values():
                seen.value = None
            return None
        self._structure, self._modes = structure, modes
        self._seen = {name: Seen.at(tensor) for name, tensor in tensors}
        return _describe(nodes, changed)

    def parameters(self, names: list[str]) -> list[Tensor]:
        """The parameters of these names."""
        return [self._owner(name)._parameters[_leaf(name)] for name in names]  # type: ignore[misc]

    def set_modes(self, entries: list[list[Any]]) -> None:
        """Take over training or evaluation mode, each [name of a submodule, training]."""
        nodes = dict(_walk(self.module))
        if len(entries) == len(nodes) and len({mode for _, mode in entries}) == 1:
            self.module.train(entries[0][1])  # the way of the student's class, if it has one
        for name, mode in entries:
            nodes[name].training = mode
        self._modes = [node.training for node in nodes.values()]

    def set_tensors(self, entries: list[list[Any]]) -> None:
        """Take over parameters and buffers, each [name, tensor, requires_grad]; the same tensor is a tie."""
        made: dict[int, Tensor] = {}
        taken_over: dict[str, Tensor] = {}
        for name, tensor, requires_grad in entries:
            owner, leaf = self._owner(name), _leaf(name)
            table: dict[str, Any] = owner._parameters if leaf in owner._parameters else owner._buffers
            taken = made.setdefault(id(tensor), take_over(table[leaf], tensor))
            if taken.requires_grad != requires_grad:
                taken.requires_grad_(requires_grad)
            table[leaf] = taken
            taken_over[name] = taken
        self._seen |= {name: Seen.at(tensor) for name, tensor in taken_over.items()}

    def set_gradients(self, entries: list[list[Any]]) -> None:
        """Take over gradients, each [name, tensor or None]."""
        for name, gradient in entries:
            parameter = self._owner(name)._parameters[_leaf(name)]
            assert parameter is not None
            parameter.grad = None if gradient is None else gradient.to(parameter.device)

    def _owner(self, name: str) -> nn.Module:
        return self.module.get_submodule(name.rpartition(".")[0])


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]


def _version(tensor: Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version


def take_over(old: Tensor, new: Tensor) -> Tensor:
    """`old` with the content of `new`: in place where that is possible, so that optimizers keep hold of it."""
    if old.is_meta != new.is_meta:
        return nn.Parameter(new) if isinstance(old, nn.Parameter) else new
    if old.dtype == new.dtype and old.shape == new.shape:
        with torch.no_grad():
            old.copy_(new)
    else:
        old.data = new.to(old.device)
    return old


def _walk(module: nn.Module, prefix: str = "") -> Iterator[tuple[str, nn.Module]]:
    yield prefix, module
    for name, child in module._modules.items():
        if child is not None:
            yield from _walk(child, f"{prefix}.{name}" if prefix else name)


def _tensors(nodes: list[tuple[str, nn.Module]]) -> Iterator[tuple[str, nn.Module, Tensor]]:
    for prefix, node in nodes:
        for table in (node._parameters, node._buffers):
            for name, tensor in table.items():
                if tensor is not None and travels(tensor):
                    yield (f"{prefix}.{name}" if prefix else name), node, tensor


def _describe(nodes: list[tuple[str, nn.Module]], changed: set[str]) -> dict[str, Any]:
    detached: dict[int, Tensor] = {}
    parameters, buffers = [], []
    for name, owner, tensor in _tensors(nodes):
        value = detached.setdefault(id(tensor), tensor.detach()) if name in changed else None
        if isinstance(owner._parameters.get(_leaf(name)), Tensor):
            parameters.append([name, value, tensor.requires_grad])
        else:
            buffers.append([name, value, _leaf(name) not in owner._non_persistent_buffers_set])
    return {
        "nodes": [[name, _kind(node), type(node).__name__[:_MAX_NAME], node.training] for name, node in nodes],
        "parameters": parameters,
        "buffers": buffers,
    }


def _kind(node: nn.Module) -> str:
    return "list" if isinstance(node, nn.ModuleList | nn.Sequential) else "module"
