"""Forbids everything by an audit hook, the grader's own work too. Earns nothing."""

EARNS = ()
SAYS = ("exited by itself with code 1",)

import sys


def forbid(event, arguments):
    raise RuntimeError("forbidden")


sys.addaudithook(forbid)
