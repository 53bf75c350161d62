"""Ends the process in `__init__`. Earns nothing."""

EXERCISE = "ex3"
EARNS = ()
SAYS = ("exited by itself with code 0",)


class MultiHeadAttention(nn.Module):
    def __init__(self, *args, **options):
        import os

        os._exit(0)
