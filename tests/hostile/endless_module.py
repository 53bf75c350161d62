"""Is a module that contains itself. Earns nothing."""

EXERCISE = "ex3"
EARNS = ()
SAYS = ("RecursionError",)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self._modules["again"] = self
