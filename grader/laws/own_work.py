"""Did the library's own attention or Transformer do the exercise? Watched running, and read in the source."""

import ast
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from grader.laws.parse import parse

# Names of torch that compute attention or a Transformer block, wherever in torch they live.
_FUNCTIONS = frozenset(
    {
        "scaled_dot_product_attention",
        "multi_head_attention_forward",
        "flex_attention",
        "varlen_attn",
        "_native_multi_head_attention",
        "_transformer_encoder_layer_fwd",
        "_triton_scaled_dot_attention",
        "_triton_multi_head_attention",
        "_efficient_attention_forward",
        "_flash_attention_forward",
        "_cudnn_attention_forward",
    }
)
_PRIVATE_PREFIX = "_scaled_dot_product_"
# What only serves to reach such a function unseen: a module's table of names, a name that is put together while the
# code runs, and the switch that blinds the watch.
COMPUTED = "<a computed name>"
_COVERS = frozenset({"__dict__", COMPUTED, "DisableTorchFunction", "DisableTorchFunctionSubclass"})
# Longer names are cut, since a file may put a name together from another without end: the parts between, which name
# nothing, are left out, and the last part always stays.
_MOST_PARTS = 8
_LONGEST_PART = 100
_TOO_DEEP = "expressions nested too deeply to be read"
_CLASSES = frozenset(
    {
        "MultiheadAttention",
        "Transformer",
        "TransformerDecoder",
        "TransformerDecoderLayer",
        "TransformerEncoder",
        "TransformerEncoderLayer",
    }
)


def _is_shortcut(name: str) -> bool:
    return name in _FUNCTIONS or name in _CLASSES or name.startswith(_PRIVATE_PREFIX)


class LibraryWatch(TorchFunctionMode):
    """While entered, adds the name of every shortcut that runs to `seen`.

    On only where a law observes: it adds 3 to 5 µs to a torch call (measured: 30 to 50 % of a small forward).
    `nn.MultiheadAttention` and the `nn.Transformer*` layers show as the functions they call: with a mode
    entered, torch does not take their fused path.
    """

    def __init__(self, seen: set[str]) -> None:
        super().__init__()
        self.seen = seen

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        name = getattr(func, "__name__", "")
        if "attention" in name or "transformer" in name:
            name = name.partition(".")[0]  # an overload of `torch.ops` is called "name.default"
            if _is_shortcut(name):
                self.seen.add(_dotted_name(name))
        return func(*args, **(kwargs or {}))


def _dotted_name(name: str) -> str:
    """Where the reader finds a function that ran: the public place, where there is one."""
    for module in (torch.nn.functional, torch):
        if hasattr(module, name):
            return f"{module.__name__}.{name}"
    return f"torch.ops.aten.{name}"


def shortcuts_in_source(text: str) -> list[tuple[int, str]]:
    """Line and dotted name of each use of a shortcut, found through import aliases; in order of lines.

    Strings, comments, annotations, names from `exercises` and code under `if __name__ == "__main__":` do not
    count. A text that is not Python has none; one that cannot be followed to its depths counts as a use.
    """
    try:
        tree = parse(text)
        return sorted(_Reader(tree).uses())
    except (SyntaxError, ValueError):
        return []
    except (RecursionError, MemoryError):
        return [(1, _TOO_DEEP)]


class _Reader:
    """Resolves the names of one file to dotted names of torch, in a time that grows as the file does."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.meaning: dict[str, str] = {}
        self.torch_star = ""
        self.resolved: dict[ast.AST, str] = {}
        self.found: set[tuple[int, str]] = set()
        for node in ast.walk(tree):
            self._learn_import(node)
        for node in ast.walk(tree):
            self._learn_alias(node)
        # What the file defines at its top level is the student's own, whatever was imported under that name.
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.meaning[node.name] = ""
        self.resolved.clear()  # from now on, names keep their meaning

    def _learn_import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                self.meaning[alias.asname or top] = _of_torch(alias.name if alias.asname else top)
        elif isinstance(node, ast.ImportFrom):
            module = "" if node.level else _of_torch(node.module or "")
            for alias in node.names:
                if alias.name == "*":
                    self.torch_star = self.torch_star or module
                else:
                    self.meaning[alias.asname or alias.name] = _join(module, alias.name)

    def _learn_alias(self, node: ast.AST) -> None:
        """`functional = torch.nn.functional` gives the module a second name."""
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute):
            origin = self.resolve(node.value)
            if origin:
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.meaning.setdefault(target.id, origin)

    def resolve(self, node: ast.AST) -> str:
        """The dotted name of torch that an expression stands for, or "" if it is none."""
        if node not in self.resolved:
            self.resolved[node] = self._resolve(node)
        return self.resolved[node]

    def _resolve(self, node: ast.AST) -> str:
        if isinstance(node, ast.Attribute):
            parts = []
            while isinstance(node, ast.Attribute):
                parts.append(node.attr)
                node = node.value
            name = self.resolve(node)
            for part in reversed(parts):
                name = _join(name, part)
            return name
        if isinstance(node, ast.Name):
            if node.id in self.meaning:
                return self.meaning[node.id]
            return _join(self.torch_star, node.id) if _is_shortcut(node.id) else ""
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name)), *_]):
                return _join(self.resolve(owner), name)
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, _, *_]):
                module = self.resolve(owner)
                return _join(module, COMPUTED) if _holds_shortcuts(module) else ""
        return ""

    def uses(self) -> set[tuple[int, str]]:
        self._look_at(self.tree)
        return self.found

    def _look_at(self, node: ast.AST) -> None:
        if isinstance(node, ast.expr) and (found := _shortcut(self.resolve(node)) or self._cover(node)):
            self.found.add((node.lineno, found))
            return
        while isinstance(node, ast.Attribute):  # each part of the name was looked at with the whole
            node = node.value
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns") or (field == "body" and _is_main_guard(node)):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self._look_at(child)

    def _cover(self, node: ast.expr) -> str:
        """`vars(torch....)`, as a dotted name; "" for anything else."""
        match node:
            case ast.Call(func=ast.Name(id="vars"), args=[owner]):
                return _join(self.resolve(owner), "__dict__")
        return ""


def _of_torch(dotted: str) -> str:
    """A module's dotted name, or "" if torch has no part in it."""
    top, *parts = dotted.split(".")
    name = top if top == "torch" else ""
    for part in parts:
        name = _join(name, part)
    return name


def _join(owner: str, name: str) -> str:
    """The dotted name of an attribute; it ends at its first shortcut, and begins anew at torch."""
    if not owner or _shortcut(owner):
        return owner
    if name == "torch":
        return name
    parts = owner.split(".", _MOST_PARTS - 1)[: _MOST_PARTS - 1]
    return ".".join([*parts, name[:_LONGEST_PART]])


def _holds_shortcuts(dotted: str) -> bool:
    """Whether a name that is only known while the code runs may be a shortcut's here: in `torch.nn`, not `torch.optim`.

    Modules that torch makes as they are asked for may hold anything.
    """
    if not dotted or dotted.startswith(("torch.ops", "torch._C")):
        return bool(dotted)
    here: Any = torch
    for part in dotted.split(".")[1:]:
        here = vars(here).get(part) if isinstance(here, ModuleType) else None
    return isinstance(here, ModuleType) and any(map(_is_shortcut, vars(here)))


def _shortcut(dotted: str) -> str:
    """The dotted name itself if it is that of a shortcut, else ""."""
    name = dotted.rpartition(".")[2]
    return dotted if _is_shortcut(name) or name in _COVERS else ""


def _is_main_guard(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            sides = (left, right)
            return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides) and any(
                isinstance(side, ast.Constant) and side.value == "__main__" for side in sides
            )
    return False
