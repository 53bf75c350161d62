"""Is a module of ten thousand parameters. Earns nothing."""

EXERCISE = "ex3"
EARNS = ()
SAYS = ("over the limits",)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        for number in range(10_000):
            self.register_parameter(f"p{number}", nn.Parameter(torch.zeros(1)))
