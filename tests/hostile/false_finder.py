"""Finds every module itself: whatever is imported from now on is its own. Earns nothing."""

EARNS = ()
SAYS = ("should have shape",)

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec


class Finder(MetaPathFinder, Loader):
    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self)

    def exec_module(self, module):
        module.__getattr__ = lambda name: lambda *args, **options: True


for name in [name for name in sys.modules if name.startswith(("grader", "tests", "solutions", "copy"))]:
    del sys.modules[name]
sys.meta_path[:] = [Finder()]
