"""Imports the solution or the laws, wherever they may lie. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("should have shape",)

import importlib
import sys

NAMES = ("causal_mask", "padding_mask", "scaled_dot_product_attention")
sys.path[:0] = ["@COURSE@", "@COURSE@/solutions", ".."]
for name in ("solutions.ex2_attention", "ex2_attention", "tests.exercises.test_ex2_attention", "grader.laws.attention"):
    try:
        found = importlib.import_module(name)
        globals().update({name: getattr(found, name) for name in NAMES if hasattr(found, name)})
    except ImportError:
        pass
for found in list(sys.modules.values()):
    if "solutions" in (getattr(found, "__file__", "") or ""):
        globals().update({name: getattr(found, name) for name in NAMES if hasattr(found, name)})
