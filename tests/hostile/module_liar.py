"""Answers all questions about its parts and parameters with lies. Earns nothing."""

EXERCISE = "ex3"
EARNS = ()
SAYS = ("should have shape",)


class MultiHeadAttention(MultiHeadAttention):
    def __getattribute__(self, name):
        if name in ("parameters", "named_parameters", "state_dict", "train", "modules", "named_modules"):
            return lambda *args, **options: iter(())
        return super().__getattribute__(name)
