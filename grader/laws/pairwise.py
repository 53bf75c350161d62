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


@lru_cache(maxsize=1000)  # of one seed, every submission of a class is asked the same
def _rows(factors: tuple[tuple[str, int], ...], seed: int) -> list[Row]:
    """The shortest of some tables: each row is a call of the student's code, if not two.

    Rows with more of the first values, which are the usual ones, come first: what fails is told of a simple case.
    """
    rows = min((_table(factors, Random(f"{seed} {i}")) for i in range(_TABLES)), key=len)
    return sorted(rows, key=lambda row: sum(position > 0 for position in row.values()))


def _table(factors: tuple[tuple[str, int], ...], dice: Random) -> list[Row]:
    """Each row begins with a pair that stands nowhere yet, and takes of every other factor the value that makes the
    most new pairs; of equals, the dice decide."""
    starts = [sum(many for _, many in factors[:i]) for i in range(len(factors))]
    choices = [range(start, start + many) for start, (_, many) in zip(starts, factors, strict=True)]
    pairs = [pair for one, other in combinations(choices, 2) for pair in product(one, other)]
    missing = dict.fromkeys(range(sum(many for _, many in factors)), 0)  # of each value, as bits, whom it has not met
    for one, other in pairs:
        missing[one] |= 1 << other
        missing[other] |= 1 << one
    rows = []
    for pair in pairs:
        if not missing[pair[0]] >> pair[1] & 1:
            continue
        chosen = 1 << pair[0] | 1 << pair[1]
        for values in choices:
            if pair[0] not in values and pair[1] not in values:
                new = {value: (missing[value] & chosen).bit_count() for value in dice.sample(values, len(values))}
                chosen |= 1 << max(new, key=new.__getitem__)
        row = [next(value for value in values if chosen >> value & 1) for values in choices]
        for value in row:
            missing[value] &= ~chosen
        rows.append({name: value - start for (name, _), value, start in zip(factors, row, starts, strict=True)})
    return rows
