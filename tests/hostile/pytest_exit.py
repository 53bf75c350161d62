"""Asks pytest to end the session as passed. Earns nothing."""

EARNS = ()
SAYS = ("your code raised Exit: bye",)


def causal_mask(size):
    import pytest

    pytest.exit("bye", returncode=0)
