"""Whether two failures of one law, on the same case, are the same failure."""

import math
import re

from grader.laws.errors import LawBroken, MissingName, StudentError, WorkerLost
from grader.laws.explain import is_not_started
from grader.laws.tensors import tolerance

SHARE_OF_THE_GAP = 0.01
"""How far apart two wrong values may be, as a share of how far they are from the right one."""
_LINE = re.compile(r"\(line \d+\)")  # where it stands in the file is no part of a mistake
# Begins only where the digits do, and never tries fewer of them: else the time is the square of their number.
_NUMBER = re.compile(r"(?<!\d)\d++(?:\.\d++(?:e[+-]?\d++)?|e[+-]?\d++)")
_RELATIVE = 0.02  # of numbers in a sentence, which are rounded


def is_comparable(error: BaseException) -> bool:
    """Whether a failure says anything about what the code computes."""
    if isinstance(error, (WorkerLost, MissingName, SyntaxError, ImportError)):
        return False
    return not (isinstance(error, NotImplementedError) and is_not_started(error, getattr(error, "frames", ())))


def is_strong(error: BaseException) -> bool:
    """Whether a failure holds values: two different mistakes do not come to the same ones by chance."""
    return isinstance(error, LawBroken) and error.actual is not None


def same_failure(one: BaseException, other: BaseException) -> bool:
    """The same sentence about the same values, or the same exception with the same text."""
    if isinstance(one, LawBroken) and isinstance(other, LawBroken):
        return _same_words(one.message, other.message) and _same_values(one, other)
    if isinstance(one, LawBroken) or isinstance(other, LawBroken):
        return False
    return _kind(one) == _kind(other) and _same_words(str(one), str(other))


def _kind(error: BaseException) -> str:
    return error.kind if isinstance(error, StudentError) else type(error).__name__


def _same_words(one: str, other: str) -> bool:
    one, other = _LINE.sub("", one), _LINE.sub("", other)
    numbers, others = _NUMBER.findall(one), _NUMBER.findall(other)
    if len(numbers) != len(others) or _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    return all(
        math.isclose(float(a), float(b), rel_tol=_RELATIVE, abs_tol=1e-9) for a, b in zip(numbers, others, strict=True)
    )


def _same_values(one: LawBroken, other: LawBroken) -> bool:
    if one.actual is None or other.actual is None:
        return one.actual is other.actual
    a, b = one.actual.detach(), other.actual.detach()
    if (a.shape, a.dtype, a.device) != (b.shape, b.dtype, b.device):
        return False
    if a.is_meta or not a.numel():
        return True
    if not a.is_floating_point():
        return bool((a == b).all())
    if not bool((a.isfinite() == b.isfinite()).all()):
        return False
    finite = a.isfinite()
    if not finite.any():
        return True
    wrong, others = a[finite].double(), b[finite].double()
    allowed = tolerance(a.dtype, scale=float(wrong.abs().max()))
    if one.expected is not None and one.expected.shape == a.shape:
        allowed = max(allowed, SHARE_OF_THE_GAP * float((wrong - one.expected[finite].double()).abs().max()))
    return float((wrong - others).abs().max()) <= allowed
