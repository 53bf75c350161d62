"""Prints terminal codes and HTML at every call; otherwise right. Earns all."""

EARNS = "all"
SAYS = ()


_right = causal_mask


def causal_mask(size):
    print("\x1b[2J\x1b]0;owned\x07<script>alert(7)</script>")
    return _right(size)
