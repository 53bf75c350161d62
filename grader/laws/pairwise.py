"""Circumstances in few tries: a table of choices in which every two of them stand together in some row.

A fault often needs a circumstance to show (float16, a batch of one, a mask of one kind, no gradients), sometimes two
at once, hardly ever three. All combinations would be hundreds of calls; all pairs are two dozen.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

Row = dict[str, int]
"""Of each factor the position of the value that was chosen."""


def pairwise(factors: Mapping[str, Sequence[Any]], seed: int) -> list[dict[str, Any]]:
    """Rows with one value of each factor, in which every value stands beside every value of each other factor.

    Each row begins with a pair that stands nowhere yet, and takes of every other factor the value that makes the most
    new pairs; of equals, the seed decides.
    """
    dice, rows = Random(seed), []
    missing = dict.fromkeys(
        _pair((a, i), (b, j))
        for a, b in combinations(factors, 2)
        for i, j in product(range(len(factors[a])), range(len(factors[b])))
    )
    while missing:
        row: Row = dict(next(iter(missing)))
        for name in (name for name in factors if name not in row):
            values = dice.sample(range(len(factors[name])), len(factors[name]))
            new = {i: sum(_pair((name, i), chosen) in missing for chosen in row.items()) for i in values}
            row[name] = max(new, key=new.__getitem__)
        for pair in combinations(row.items(), 2):
            missing.pop(_pair(*pair), None)
        rows.append({name: factors[name][row[name]] for name in factors})
    return rows


def _pair(one: tuple[str, int], other: tuple[str, int]) -> frozenset[tuple[str, int]]:
    return frozenset((one, other))
