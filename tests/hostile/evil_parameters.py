"""Names its parameters in terminal codes and HTML. Earns nothing."""

EXERCISE = "ex3"
EARNS = ()
SAYS = ("a module with a part of impossible name",)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        for name in ("<script>alert(8)</script>", "\x1b[2J", "remote", "root", "forward", "x" * 10_000):
            self._parameters[name] = nn.Parameter(torch.zeros(1))
