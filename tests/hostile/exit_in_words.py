"""Ends the process where its exception is put into words (`__str__`). Earns nothing."""

EARNS = ()
SAYS = ("exited by itself with code 0",)


class Wordless(Exception):
    def __str__(self):
        import os

        os._exit(0)


def causal_mask(size):
    raise Wordless
