"""Takes the place of torch and puts itself first among the finders (`sys.meta_path`). Earns nothing."""

EARNS = ()
SAYS = ("should have shape",)

import sys
import types

fake = types.ModuleType("torch")
fake.__getattr__ = lambda name: lambda *args, **options: None
sys.modules["torch"] = fake
sys.meta_path.insert(0, type("Finder", (), {"find_spec": staticmethod(lambda *args: None)})())
