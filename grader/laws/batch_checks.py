"""What several laws of `copy_batch` check in the same way."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from grader.course import EOS, FIRST_CONTENT_ID, SOS
from grader.laws.compare import broken, check_tensor, kind_of, require
from grader.laws.interface import Implementation
from grader.laws.oracles_training import framed
from grader.laws.training_cases import BatchCase


def drawn_batch(impl: Implementation, case: BatchCase, source: Any) -> tuple[Tensor, Any, Any]:
    """A batch from the student's `copy_batch`, of which only `src` is looked at here: int64, (B, L)."""
    batch, length, vocab_size = case.sizes
    result = impl.copy_batch(batch=batch, length=length, vocab_size=vocab_size, generator=source)
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        broken(f"copy_batch should return (src, tgt_in, tgt_out), but it returned {kind_of(result)}.")
    src, tgt_in, tgt_out = result
    check_tensor(src, "src", shape=(batch, length), dtype=torch.int64)
    return src, tgt_in, tgt_out


def framed_rightly(src: Tensor, tgt_in: Any, tgt_out: Any) -> None:
    """`tgt_in` is SOS and the source, `tgt_out` is the source and EOS."""
    shape = (src.size(0), src.size(1) + 1)
    for name, ids in (("tgt_in", tgt_in), ("tgt_out", tgt_out)):
        check_tensor(ids, f"{name}, one longer than src,", shape=shape, dtype=torch.int64)
    _, expected_in, expected_out = framed(src)
    rules = (
        ("tgt_in", tgt_in, expected_in, f"SOS = {SOS} and then the source"),
        ("tgt_out", tgt_out, expected_out, f"the source and then EOS = {EOS}"),
    )
    for name, ids, expected, rule in rules:
        for row, column in (ids != expected).nonzero().tolist():
            should = f"{name} should be {rule}: {name}[{row}, {column}] should be {expected[row, column]}"
            broken(
                f"{should}, but it is {ids[row, column]}.",
                **{f"src[{row}]": src[row : row + 1], f"{name}[{row}]": ids[row : row + 1]},
            )


def in_range(src: Tensor, vocab_size: int) -> None:
    """The ids of `src` are content."""
    for row, column in ((src < FIRST_CONTENT_ID) | (src >= vocab_size)).nonzero().tolist():
        words = f"content ids run from {FIRST_CONTENT_ID} to vocab_size - 1 = {vocab_size - 1}"
        broken(f"src[{row}, {column}] is {src[row, column]}, but {words}.", **{f"src[{row}]": src[row : row + 1]})


def uniform(src: Tensor, vocab_size: int) -> None:
    """In each column every content id is as frequent as any other, and columns do not repeat each other."""
    in_range(src, vocab_size)
    ids = torch.arange(FIRST_CONTENT_ID, vocab_size)
    batch, share = src.size(0), 1 / len(ids)
    even = share * src.numel()
    for which in ids.tolist():
        count = int((src == which).sum())
        words = f"id {which} stands {count} times in {src.numel()} places (vocab_size {vocab_size})"
        require(abs(count - even) < 7 * math.sqrt(even * (1 - share)), f"{words}: about {even:.0f} would be even.")
    margin = 7 * math.sqrt(share * (1 - share) / batch)
    shares = (src.unsqueeze(-1) == ids).double().mean(dim=0)  # (L, ids)
    for column, which in ((shares - share).abs() > margin).nonzero().tolist():
        words = f"id {ids[which]} stands {shares[column, which] * batch:.0f} times in column {column}"
        broken(f"{words} of {batch} sources (vocab_size {vocab_size}): about {share * batch:.0f} would be even.")
    equal = (src.unsqueeze(2) == src.unsqueeze(1)).double().mean(dim=0)  # (L, L)
    for first, second in ((equal - share).abs() > margin).triu(diagonal=1).nonzero().tolist():
        words = f"columns {first} and {second} of src agree in {equal[first, second]:.0%} of the rows"
        broken(f"{words}, not in about {share:.0%} as independent draws do.", **{"src, its first rows": src[:4]})


def not_dealt_out(batches: Sequence[Tensor]) -> None:
    """Content of small batches is drawn, and not dealt out like cards, so that each id comes as often as any other.

    For three batches, `vocab_size` 12 and at least 9 places, they are by chance once in 10**9 times.
    """
    counts = [src.flatten().bincount(minlength=12)[FIRST_CONTENT_ID:] for src in batches]
    words = f"in each of {len(batches)} small batches every content id stands equally often: each place needs a draw of"
    even = all(bool((count == count[0]).all()) for count in counts)
    require(not even, f"{words} its own, whatever was drawn elsewhere.", src=batches[0])


def varied(src: Tensor, vocab_size: int) -> None:
    """About as many different ids are drawn from a large vocabulary as there are by chance."""
    in_range(src, vocab_size)
    ids = vocab_size - FIRST_CONTENT_ID
    expected, found = ids * (1 - math.exp(-src.numel() / ids)), len(src.unique())
    words = f"{src.numel()} places hold {found} different ids (vocab_size {vocab_size}), where independent draws give"
    require(abs(found - expected) < 0.07 * ids, f"{words} about {expected:.0f}.")


def rows_differ(src: Tensor) -> None:
    """No two rows are equal, be it moved around or reversed, which for rows this long cannot happen by chance."""
    seen: dict[tuple[int, ...], int] = {}
    for row, ids in enumerate(src.tolist()):
        alike = [each[turn:] + each[:turn] for each in (ids, ids[::-1]) for turn in range(len(ids))]
        earlier = seen.setdefault(tuple(min(alike)), row)
        if earlier != row:
            how = (
                "equal" if torch.equal(src[earlier], src[row]) else "the same ids in the same order, moved or reversed"
            )
            words = f"rows {earlier} and {row} of a batch of {len(src)} are {how}: each needs draws of its own."
            broken(words, **{f"src[{earlier}] and src[{row}]": src[[earlier, row]]})
