"""Raises pytest's own outcome in `forward`. Earns nothing."""

EXERCISE = "ex3"
EARNS = ()
SAYS = ("your code raised",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        import pytest

        raise pytest.skip.Exception("passed")
