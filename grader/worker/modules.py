"""A student's `nn.Module` as the judge's mirror of it sees it: its structure, and what changed since the last look.

Read through `__dict__` entries of `nn.Module` only, so that overridden methods of a student's class do not run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from grader.worker.values import travels

_MAX_NAME = 120


@dataclass
class _Seen:
    """A tensor at the last look. `alias` keeps its memory, so that a new tensor cannot get the same address."""

    alias: Tensor
    version: int
    requires_grad: bool
    value: Tensor | None = None

    @classmethod
    def at(cls, tensor: Tensor) -> "_Seen":
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
        self._seen: dict[str, _Seen] = {}
        self._shape: Any = None

    def keep_values(self) -> None:
        """Compare values too at the next look: writing through `.data` shows in no version counter."""
        for seen in self._seen.values():
            seen.value = None if seen.alias.is_meta else seen.alias.clone()

    def look(self) -> dict[str, Any] | None:
        """Describe the module if anything is different from the last look; tensors that are not are left out."""
        nodes = list(_walk(self.module))
        tensors = [(name, tensor) for name, _, tensor in _tensors(nodes)]
        shape = [(name, type(node), node.training) for name, node in nodes], [name for name, _ in tensors]
        changed = {
            name for name, tensor in tensors if name not in self._seen or self._seen[name].differs(tensor)
        }
        same_shape, self._shape = shape == self._shape, shape
        self.mark(tensors)
        return None if same_shape and not changed else _describe(nodes, changed)

    def mark(self, tensors: list[tuple[str, Tensor]] | None = None) -> None:
        """Take the present state as known to the judge."""
        if tensors is None:
            tensors = [(name, tensor) for name, _, tensor in _tensors(list(_walk(self.module)))]
        self._seen = {name: _Seen.at(tensor) for name, tensor in tensors}

    def parameters(self, names: list[str]) -> list[Tensor]:
        """The parameters of these names."""
        return [self._owner(name)._parameters[_leaf(name)] for name in names]  # type: ignore[misc]

    def set_modes(self, modes: list[bool]) -> None:
        """Training or evaluation mode for every submodule, in the order of the description."""
        if len(set(modes)) == 1:
            self.module.train(modes[0])
            return
        for (_, node), mode in zip(_walk(self.module), modes, strict=True):
            node.training = mode

    def set_tensors(self, entries: list[list[Any]]) -> None:
        """Take over parameters and buffers, each [name, tensor, requires_grad]; the same tensor is a tie."""
        made: dict[int, Tensor] = {}
        for name, tensor, requires_grad in entries:
            owner, leaf = self._owner(name), _leaf(name)
            table: dict[str, Any] = owner._parameters if leaf in owner._parameters else owner._buffers
            taken = made.setdefault(id(tensor), _take_over(table[leaf], tensor))
            table[leaf] = taken.requires_grad_(requires_grad)
        self.mark()

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


def _take_over(old: Tensor, new: Tensor) -> Tensor:
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
