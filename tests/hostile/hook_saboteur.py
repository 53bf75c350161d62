"""Ends the process in a hook on its backward pass. Earns nothing."""

EXERCISE = "ex3"
LAWS = ("gradients_reach_everything",)
EARNS = ()
SAYS = ("exited by itself with code 0",)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, *args, **options):
        import os

        super().__init__(*args, **options)
        self.register_full_backward_hook(lambda *args: os._exit(0))
