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
    address: int
    version: int
    requires_grad: bool
    value: Tensor | None = None

    @classmethod
    def at(cls, tensor: Tensor) -> "Seen":
        return cls(tensor.detach(), tensor.data_ptr(), _version(tensor), tensor.requires_grad)

    def differs(self, tensor: Tensor) -> bool:
        return (
            _version(tensor) != self.version
            or tensor.data_ptr() != self.address
            or tensor.requires_grad != self.requires_grad
            or (tensor.dtype, tensor.shape, tensor.device) != (self.alias.dtype, self.alias.shape, self.alias.device)
            or (self.value is not None and not torch.equal(tensor, self.value))
        )


class Tree:
    """What hangs where below a module, at one moment: looked up many times, and seldom different later."""

    def __init__(self, root: nn.Module) -> None:
        self.nodes = dict(_walk(root))
        self.tensors: dict[str, Tensor] = {}
        self.places: dict[str, dict[str, Any]] = {}
        self._sizes: list[tuple[dict[str, Any], int]] = []
        self._entries: list[tuple[dict[str, Any], str, Any]] = []
        for prefix, node in self.nodes.items():
            for table in (node._modules, node._parameters, node._buffers):
                self._sizes.append((table, len(table)))
                self._entries += [(table, leaf, item) for leaf, item in table.items()]
                if table is not node._modules:
                    self._note_tensors(prefix, table)

    def _note_tensors(self, prefix: str, table: dict[str, Any]) -> None:
        for leaf, tensor in table.items():
            if tensor is not None and travels(tensor):
                name = f"{prefix}.{leaf}" if prefix else leaf
                self.tensors[name], self.places[name] = tensor, table

    def stands(self) -> bool:
        """Whether the same modules and tensors still hang at the same places, and no others."""
        return all(len(table) == size for table, size in self._sizes) and all(
            table.get(leaf) is item for table, leaf, item in self._entries
        )


class TrackedModule:
    """A module that the judge has a mirror of."""

    def __init__(self, module: nn.Module) -> None:
        self.module = module
        self._seen: dict[str, Seen] = {}
        self._tree: Tree | None = None
        self._modes: list[bool] = []

    def keep_values(self) -> None:
        """Compare values too at the next look: writing through `.data` shows in no version counter."""
        for seen in self._seen.values():
            seen.value = None if seen.alias.is_meta else seen.alias.clone()

    def look(self) -> dict[str, Any] | None:
        """The module's description if anything changed since the last look, with the tensors that changed."""
        known, tree = self._tree, self._current_tree()
        modes = [node.training for node in tree.nodes.values()]
        changed = {
            name for name, tensor in tree.tensors.items() if name not in self._seen or self._seen[name].differs(tensor)
        }
        if not changed and tree is known and modes == self._modes:
            return None
        self._modes = modes
        self._seen = {name: Seen.at(tensor) for name, tensor in tree.tensors.items()}
        return _describe(tree, changed)

    def _current_tree(self) -> Tree:
        if self._tree is None or not self._tree.stands():
            self._tree = Tree(self.module)
        return self._tree

    def parameters(self, names: list[str]) -> list[Tensor]:
        """The parameters of these names."""
        tensors = self._current_tree().tensors
        return [tensors[name] for name in names]

    def set_modes(self, entries: list[list[Any]]) -> None:
        """Take over training or evaluation mode, each [name of a submodule, training]."""
        nodes = self._current_tree().nodes
        if len(entries) == len(nodes) and len({mode for _, mode in entries}) == 1:
            self.module.train(entries[0][1])  # the way of the student's class, if it has one
        for name, mode in entries:
            nodes[name].training = mode
        self._modes = [node.training for node in nodes.values()]

    def set_tensors(self, entries: list[list[Any]]) -> None:
        """Take over parameters and buffers, each [name, tensor, requires_grad]; the same tensor is a tie."""
        places = self._current_tree().places
        made: dict[int, Tensor] = {}
        for name, tensor, requires_grad in entries:
            table, leaf = places[name], _leaf(name)
            if id(tensor) not in made:
                made[id(tensor)] = take_over(table[leaf], tensor)
            table[leaf] = taken = made[id(tensor)]
            if taken.requires_grad != requires_grad:
                taken.requires_grad_(requires_grad)
            self._seen[name] = Seen.at(taken)

    def set_gradients(self, entries: list[list[Any]]) -> None:
        """Take over gradients, each [name, tensor or None]."""
        tensors = self._current_tree().tensors
        for name, gradient in entries:
            tensors[name].grad = None if gradient is None else gradient.to(tensors[name].device)


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


def _describe(tree: Tree, changed: set[str]) -> dict[str, Any]:
    detached: dict[int, Tensor] = {}
    parameters, buffers = [], []
    for name, tensor in tree.tensors.items():
        value = detached.setdefault(id(tensor), tensor.detach()) if name in changed else None
        owner, leaf = tree.nodes[name.rpartition(".")[0]], _leaf(name)
        if tree.places[name] is owner._parameters:
            parameters.append([name, value, tensor.requires_grad])
        else:
            buffers.append([name, value, leaf not in owner._non_persistent_buffers_set])
    return {
        "nodes": [
            [name, _kind(node), type(node).__name__[:_MAX_NAME], node.training] for name, node in tree.nodes.items()
        ],
        "parameters": parameters,
        "buffers": buffers,
    }


def _kind(node: nn.Module) -> str:
    return "list" if isinstance(node, nn.ModuleList | nn.Sequential) else "module"
