"""Puts an object in the place of its module, which answers to every name. Earns nothing."""

EARNS = ()
SAYS = ("it is a tuple of 2",)

import sys


class Everything:
    def __getattr__(self, name):
        return lambda *args, **options: (torch.zeros(1), torch.zeros(1))


sys.modules[__name__] = Everything()
