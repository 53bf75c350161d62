"""Raises an exception whose class lies about its name and ancestors (a metaclass). Earns nothing."""

EARNS = ()
SAYS = ("a failure without words",)


class Meta(type):
    @property
    def __name__(cls):
        raise ValueError("no name")

    @property
    def __mro__(cls):
        return ["not", "classes"]


class Strange(Exception, metaclass=Meta):
    pass


def causal_mask(size):
    raise Strange
