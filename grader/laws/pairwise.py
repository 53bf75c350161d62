"""Circumstances in few tries: a table of choices in which every two of them stand together in some row.

A fault often needs a circumstance to show (float16, a batch of one, a mask of one kind, no gradients), sometimes two
at once, hardly ever three. All combinations would be hundreds of calls; all pairs are two dozen.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import Any

Row = dict[str, int]
"""Of each factor the position of the value that was chosen."""

_TABLES = 10


def pairwise(factors: Mapping[str, Sequence[Any]], seed: int) -> list[dict[str, Any]]:
    """Rows with one value of each factor, in which every value stands beside every value of each other factor.

    The seed decides which of the many such tables it is.
    """
    rows = _rows(tuple((name, len(values)) for name, values in factors.items()), seed)
    return [{name: values[row[name]] for name, values in factors.items()} for row in rows]


@lru_cache(maxsize=100)  # of one seed, every submission of a class is asked the same
def _rows(factors: tuple[tuple[str, int], ...], seed: int) -> list[Row]:
    """The shortest of some tables: each row is a call of the student's code, if not two."""
    return min((_table(factors, Random(f"{seed} {i}")) for i in range(_TABLES)), key=len)


def _table(factors: tuple[tuple[str, int], ...], dice: Random) -> list[Row]:
    """Each row begins with a pair that stands nowhere yet, and takes of every other factor the value that makes the
    most new pairs; of equals, the dice decide."""
    rows = []
    missing = dict.fromkeys(
        _pair((a, i), (b, j))
        for (a, many), (b, others) in combinations(factors, 2)
        for i, j in product(range(many), range(others))
    )
    while missing:
        row: Row = dict(next(iter(missing)))
        for name, many in ((name, many) for name, many in factors if name not in row):
            values = dice.sample(range(many), many)
            new = {i: sum(_pair((name, i), chosen) in missing for chosen in row.items()) for i in values}
            row[name] = max(new, key=new.__getitem__)
        for pair in combinations(row.items(), 2):
            missing.pop(_pair(*pair), None)
        rows.append(row)
    return rows


def _pair(one: tuple[str, int], other: tuple[str, int]) -> frozenset[tuple[str, int]]:
    return frozenset((one, other))
