"""What stands in the judge for objects that live in a worker: mirrors of modules, and opaque handles."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import torch
from torch import Tensor, nn

from grader.judge.link import Link
from grader.judge.text import clean
from grader.laws.interface import StandIn
from grader.worker.frames import ProtocolError
from grader.worker.modules import Seen, Tree, take_over

_MAX_NAME, _MAX_DEPTH = 200, 32


class Opaque(StandIn):
    """Something of a student's that cannot travel; it can only be passed on as an argument."""

    def __init__(self, link: Link, handle: int, remote_class: str) -> None:
        self.link, self.handle, self.remote_class = link, handle, remote_class

    def __repr__(self) -> str:
        return f"<{self.remote_class} in the student's program>"


@dataclass
class Remote:
    """A mirrored module in its worker, and what both sides know of it."""

    link: Link
    handle: int
    call: "Call"
    seen: dict[str, Seen] = field(default_factory=dict)
    gradients: dict[str, tuple[Tensor | None, int]] = field(default_factory=dict)
    modes: list[bool] = field(default_factory=list)
    tree: Tree | None = None


@dataclass(frozen=True)
class Target:
    """What to call: `path` from a module that the worker imports, or from the object behind a mirror."""

    label: str
    path: str
    module: str = ""
    on: "Mirror | None" = None


Call = Callable[[Link, Target, tuple[Any, ...], dict[str, Any]], Any]


class Mirror(nn.Module, StandIn):
    """A student's module: real parameters and buffers here, everything that computes in the worker.

    What was changed here goes to the worker with the next call, what a call changed there comes back with its
    answer. Parameters are inputs of every call, so gradients arrive in their `.grad` as usual.
    """

    remote: Remote
    root: "Mirror"
    path: str

    def __init__(self, remote: Remote, path: str = "", root: "Mirror | None" = None) -> None:
        super().__init__()
        # Not by setattr, which would make the root a submodule of its part.
        self.__dict__.update(remote=remote, path=path, root=root or self, remote_class="Module")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("", args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            return super().__getattr__(name)
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                return table[name]
        kind, value = self._use_tool("look_up", name)
        return (lambda *args, **kwargs: self._call(name, args, kwargs)) if kind == "method" else value

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Another dtype, or the meta device. Which real device computes is the worker's affair."""
        device, dtype, *_ = torch._C._nn._parse_to(*args, **kwargs)
        to_meta = device is not None and device.type == "meta"
        if to_meta or dtype is not None:
            self._use_tool("convert", dtype, to_meta)
        return self

    def float(self) -> Self:
        return self.to(torch.float32)

    def double(self) -> Self:
        return self.to(torch.float64)

    def half(self) -> Self:
        return self.to(torch.float16)

    def bfloat16(self) -> Self:
        return self.to(torch.bfloat16)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Mirror":
        target = Target("copy.deepcopy", "deepcopy", module="copy")
        copied: Mirror = self.remote.call(self.remote.link, target, (self,), {})
        return copied

    def _get_name(self) -> str:
        return str(self.__dict__["remote_class"])

    def _call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        path = f"{self.path}.{name}".strip(".")
        label = f"{self._get_name()}.{name or 'forward'}"
        return self.remote.call(self.remote.link, Target(label, path, on=self.root), args, kwargs)

    def _use_tool(self, tool: str, *args: Any) -> Any:
        label = f"{self._get_name()}.{args[0]}" if tool == "look_up" else f"{self._get_name()}.to"
        return self.remote.call(self.remote.link, Target(label, tool, module="tools"), (self, *args), {})

    # to the worker; on the root only

    def trainable(self) -> dict[str, Tensor]:
        """The parameters that require gradients, each under one name."""
        found: dict[int, tuple[str, Tensor]] = {}
        for name, tensor in self._tree().tensors.items():
            if tensor.requires_grad and isinstance(tensor, nn.Parameter):
                found.setdefault(id(tensor), (name, tensor))
        return dict(found.values())

    def unsent(self, with_gradients: bool) -> dict[str, Any] | None:
        """What was changed here since the worker was last told; from now on it counts as told."""
        remote, tree = self.remote, self._tree()
        detached: dict[int, Tensor] = {}
        tensors = []
        for name, tensor in tree.tensors.items():
            seen = remote.seen.get(name)
            if seen is None or seen.differs(tensor):
                same = detached.setdefault(id(tensor), tensor.detach())  # a tie stays one
                tensors.append([name, same, tensor.requires_grad])
                remote.seen[name] = Seen.at(tensor)
        gradients = list(self._unsent_gradients(tree)) if with_gradients else []
        modes = [node.training for node in tree.nodes.values()]
        known = remote.modes if len(remote.modes) == len(modes) else [None] * len(modes)
        changed = [[name, mode] for name, mode, then in zip(tree.nodes, modes, known, strict=True) if mode != then]
        remote.modes = modes
        if not (tensors or gradients or changed):
            return None
        return {"tensors": tensors, "gradients": gradients, "modes": changed}

    def _unsent_gradients(self, tree: Tree) -> Iterator[list[Any]]:
        """Gradients that came or went here. Those that the worker made itself are not touched."""
        known = self.remote.gradients
        for name, parameter in tree.tensors.items():
            gradient = parameter.grad
            version = 0 if gradient is None else gradient._version
            then, then_version = known.get(name, (None, 0))
            if gradient is not then or version != then_version:
                known[name] = gradient, version
                yield [name, None if gradient is None else gradient.detach()]

    def _tree(self) -> Tree:
        if self.remote.tree is None or not self.remote.tree.stands():
            self.remote.tree = Tree(self)
        return self.remote.tree

    # from the worker; on the root only

    def update(self, description: Any) -> None:
        """Take over what the worker says of its module. Only `ProtocolError` comes out."""
        try:
            nodes = self._update_nodes(description["nodes"])
            self._update_tensors(nodes, description["parameters"], description["buffers"])
        except (TypeError, ValueError, LookupError, RuntimeError, AttributeError) as error:
            raise ProtocolError(f"a badly described module: {type(error).__name__}") from None

    def _update_nodes(self, described: list[Any]) -> dict[str, "Mirror"]:
        nodes: dict[str, Mirror] = {}
        for name, kind, remote_class, training in described:
            if not nodes:
                node = self
            else:
                parent, leaf = nodes[_parent(name)], _leaf(name)
                old = parent._modules.get(leaf)
                made = _CLASSES[kind]
                node = old if type(old) is made else made(self.remote, name, self)
                parent._modules[leaf] = node
            node.training = training is True
            node.__dict__["remote_class"] = clean(remote_class, _MAX_NAME)
            nodes[name] = node
        for name, node in nodes.items():
            for leaf in list(node._modules):
                if (f"{name}.{leaf}" if name else leaf) not in nodes:
                    del node._modules[leaf]
        self.remote.modes = [node.training for node in nodes.values()]
        return nodes

    def _update_tensors(self, nodes: dict[str, "Mirror"], parameters: list[Any], buffers: list[Any]) -> None:
        made: dict[int, Tensor] = {}
        kept = set()
        for name, value, requires_grad in parameters:
            owner, leaf = nodes[_parent(name)], _leaf(name)
            kept.add(name)
            if value is not None:
                old = owner._parameters.get(leaf)
                if id(value) not in made:  # the same value under two names is a tie
                    made[id(value)] = nn.Parameter(value, False) if old is None else take_over(old, value)
                parameter: Any = made[id(value)]
                parameter.requires_grad_(requires_grad is True and parameter.is_floating_point())
                owner._parameters[leaf] = parameter
                self.remote.seen[name] = Seen.at(parameter)
        for name, value, persistent in buffers:
            owner, leaf = nodes[_parent(name)], _leaf(name)
            kept.add(name)
            if value is not None:
                old_buffer = owner._buffers.get(leaf)
                owner._buffers[leaf] = buffer = value if old_buffer is None else take_over(old_buffer, value)
                self.remote.seen[name] = Seen.at(buffer)
            fleeting = owner._non_persistent_buffers_set
            (fleeting.discard if persistent is True else fleeting.add)(leaf)
        self._drop_tensors(kept)

    def _drop_tensors(self, kept: set[str]) -> None:
        """Forget what the worker's module no longer has; refuse what it claims to have and never sent."""
        places = Tree(self).places
        if not kept <= places.keys():
            raise ProtocolError("a module with tensors that were not sent")
        for name in places.keys() - kept:
            del places[name][_leaf(name)]
            self.remote.seen.pop(name, None)


class MirrorList(Mirror):
    """A mirror of a list of modules, which can be counted, indexed and iterated over."""

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, index: int) -> nn.Module:
        return list(self)[index]

    def __iter__(self) -> Iterator[nn.Module]:
        return iter([node for node in self._modules.values() if node is not None])


_CLASSES: dict[str, type[Mirror]] = {"module": Mirror, "list": MirrorList}


def revive(link: Link, handle: int, call: Call, description: Any) -> Mirror:
    """The mirror of a module that the worker has just told of for the first time."""
    if type(description) is not dict:
        raise ProtocolError("a badly described module")
    nodes = description.get("nodes")
    kind = nodes[0][1] if type(nodes) is list and nodes and type(nodes[0]) is list and len(nodes[0]) > 1 else ""
    if kind not in ("module", "list"):
        raise ProtocolError("a badly described module")
    mirror = _CLASSES[kind](Remote(link, handle, call))
    mirror.update(description)
    link.adopt(handle, mirror)
    return mirror


def _parent(name: str) -> str:
    return _checked(name).rpartition(".")[0]


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]


def _checked(name: Any) -> str:
    """A dotted name as Python modules have them."""
    if type(name) is not str or len(name) > _MAX_NAME or name.count(".") > _MAX_DEPTH or not all(name.split(".")):
        raise ProtocolError("a module with a part of impossible name")
    return name
