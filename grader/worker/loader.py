"""A submission's modules come from memory: only the files that were given exist."""

import linecache
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGE = "exercises"


class MemoryFinder(MetaPathFinder, InspectLoader):
    """Finds and loads `exercises.<name>` from `files`, which are keyed "exercises/<name>.py"."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)

    def install(self) -> None:
        """Become the first place that an import asks; tracebacks get the lines of the files."""
        for file, text in self._files.items():
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        sys.meta_path.insert(0, self)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the signature that imports ask for
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        top = fullname.partition(".")[0]
        if fullname == PACKAGE:
            return ModuleSpec(fullname, self, is_package=True)
        file = _file_of(fullname)
        if top == PACKAGE and file in self._files:
            spec = ModuleSpec(fullname, self, origin=file)
            spec.has_location = True
            return spec
        if top == PACKAGE:
            raise ModuleNotFoundError(f"No module named {fullname!r} in this submission", name=fullname)
        return None

    def get_source(self, fullname: str) -> str:
        return self._files.get(_file_of(fullname), "")

    def exec_module(self, module: ModuleType) -> None:
        code = compile(self.get_source(module.__name__), _file_of(module.__name__), "exec", dont_inherit=True)
        exec(code, module.__dict__)


def _file_of(fullname: str) -> str:
    return fullname.replace(".", "/") + ".py"
