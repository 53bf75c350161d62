"""Answers with an object of a class whose name is terminal codes and HTML. Earns nothing."""

EARNS = ()
SAYS = ("it is a value of type <script>alert(6)",)


def causal_mask(size):
    return type("<script>alert(6)</script>\x1b[2J\u202e", (), {})()
