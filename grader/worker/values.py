"""Values as JSON trees beside a list of tensors, in both directions.

A tree is JSON, with marked objects for what JSON lacks: {"$t": i} the i-th tensor, {"$u": [...]} a tuple,
{"$d": [[key, value], ...]} a dict, {"$s": [...]} a set, {"$y": "float32"} a dtype, {"$v": name} a device,
{"$l": [start, stop, step]} a slice. Other objects are left to a function on each side and become {"$o": ...}.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from grader.worker.frames import DTYPES, NAMES, ProtocolError

_MAX_DEPTH = 40
_MAX_OTHER_KEYS = 1000
_PLAIN = frozenset({int, float, str, bool, type(None)})
_TENSOR_TYPES = frozenset({Tensor, torch.nn.Parameter})


class Encoder:
    """Turns values into trees and collects their tensors; the same tensor object is collected once.

    `encode_object(value, encoder)` gives the content of {"$o": ...}, or raises TypeError.
    """

    def __init__(self, encode_object: Callable[[Any, "Encoder"], Any]) -> None:
        self.tensors: list[Tensor] = []
        self._encode_object = encode_object
        self._positions: dict[int, int] = {}
        self._kept: list[Any] = []

    def tree(self, value: Any, depth: int = 0) -> Any:
        """The tree of `value`; TypeError from the hook if it cannot travel."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if isinstance(value, Tensor):
            return self._tensor(value)
        if depth > _MAX_DEPTH:
            raise TypeError("a value nested too deeply to travel between the judge and the worker")
        if kind is list:
            return [self.tree(item, depth + 1) for item in value]
        if isinstance(value, tuple):
            return {"$u": [self.tree(item, depth + 1) for item in tuple(value)]}
        if isinstance(value, dict):
            return {"$d": [[self.tree(k, depth + 1), self.tree(v, depth + 1)] for k, v in value.items()]}
        if isinstance(value, list):
            return [self.tree(item, depth + 1) for item in list(value)]
        if isinstance(value, set | frozenset):
            return {"$s": [self.tree(item, depth + 1) for item in value]}
        if isinstance(value, torch.dtype) and value in NAMES:
            return {"$y": NAMES[value]}
        if isinstance(value, torch.device):
            return {"$v": value.type}
        if isinstance(value, slice):
            return {"$l": [self.tree(part, depth + 1) for part in (value.start, value.stop, value.step)]}
        for plain in (bool, int, float, str):
            if isinstance(value, plain):
                return plain(value)
        return {"$o": self._encode_object(value, self)}

    def _tensor(self, tensor: Tensor) -> Any:
        position = self._positions.get(id(tensor))
        if position is None:
            if not travels(tensor):
                return {"$o": self._encode_object(tensor, self)}
            plain = tensor if type(tensor) in _TENSOR_TYPES else _plain(tensor)
            position = self._positions[id(tensor)] = len(self.tensors)
            self._kept.append(tensor)
            self.tensors.append(plain)
        return {"$t": position}


def travels(tensor: Tensor) -> bool:
    """Whether a tensor is plain memory of a usual dtype: not lazy, sparse, quantized and the like."""
    with torch._C.DisableTorchFunctionSubclass():
        return not torch.nn.parameter.is_lazy(tensor) and tensor.layout is torch.strided and tensor.dtype in NAMES


def _plain(tensor: Tensor) -> Tensor:
    """A subclass read as the tensor that it is, without running its methods."""
    with torch._C.DisableTorchFunctionSubclass():
        return Tensor.as_subclass(tensor, Tensor)


def decode(tree: Any, tensors: list[Tensor], decode_object: Callable[[Any], Any]) -> Any:
    """The value of a tree that came from the other side. Of failures, only `ProtocolError` comes out."""
    try:
        return _decode(tree, tensors, decode_object, 0)
    except (TypeError, ValueError, LookupError, RecursionError, OverflowError) as error:
        raise ProtocolError(f"an unreadable value: {type(error).__name__}") from None


def _decode(tree: Any, tensors: list[Tensor], decode_object: Callable[[Any], Any], depth: int) -> Any:
    kind = type(tree)
    if kind is str:
        # A lone half of a surrogate pair would make whoever prints or writes it fail.
        return tree if tree.isascii() else tree.encode("utf-8", "replace").decode("utf-8")
    if kind is list:
        if depth > 2 * _MAX_DEPTH:
            raise ProtocolError("a value nested too deeply")
        return [_decode(value, tensors, decode_object, depth + 1) for value in tree]
    if kind is not dict:
        return tree

    def inner(value: Any) -> Any:
        return _decode(value, tensors, decode_object, depth + 1)

    ((mark, content), *others) = tree.items()
    if others or depth > 2 * _MAX_DEPTH:
        raise ProtocolError("a value of unknown kind")
    if mark == "$o":
        return decode_object(content)
    if mark == "$t":
        if type(content) is not int or not 0 <= content < len(tensors):
            raise ProtocolError("a tensor that was not sent")
        return tensors[content]
    if mark == "$y":
        return DTYPES[content]
    if mark == "$v":
        if content not in ("cpu", "meta", "cuda"):
            raise ProtocolError("an unknown device")
        return torch.device(content)
    if type(content) is not list:
        raise ProtocolError("a value of unknown kind")
    if mark == "$u":
        return tuple([inner(value) for value in content])
    if mark == "$d":
        pairs = [(inner(key), inner(value)) for key, value in content]
        return dict(zip(_keys([key for key, _ in pairs]), [value for _, value in pairs], strict=True))
    if mark == "$s":
        return set(_keys([inner(value) for value in content]))
    if mark == "$l":
        return slice(*[inner(value) for value in content])
    raise ProtocolError("a value of unknown kind")


def _keys(keys: list[Any]) -> list[Any]:
    """Only plain keys, and few that are not strings: many numbers could be chosen to collide in a table."""
    if not all(type(key) is str for key in keys):
        flat = [part for key in keys for part in (key if type(key) is tuple else (key,))]
        if len(keys) > _MAX_OTHER_KEYS or not all(type(part) in _PLAIN for part in flat):
            raise ProtocolError("a key of unknown kind")
    return keys
