"""Prints 500 MB at import. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("printed more than 8 MB of output",)

for _ in range(500):
    print("x" * (1 << 20))
