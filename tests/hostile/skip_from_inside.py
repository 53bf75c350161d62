"""Asks pytest to skip the law from inside. Earns nothing."""

EARNS = ()
SAYS = ("your code raised Skipped: not today",)


def skip(*args, **options):
    import pytest

    pytest.skip("not today")


causal_mask = padding_mask = scaled_dot_product_attention = skip
