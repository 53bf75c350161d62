"""Answers with an object that runs a command where it is unpickled. Earns nothing."""

EARNS = ()
SAYS = ("it is a value of type Bomb",)


class Bomb:
    def __reduce__(self):
        import os

        return os.system, ("touch /tmp/@CANARY@",)


def causal_mask(size):
    return Bomb()


def padding_mask(tokens, pad_id):
    return [Bomb()]
