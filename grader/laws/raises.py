"""Errors that laws expect: a `ValueError` for wrong arguments, and what the `meta` device cannot compute."""

from collections.abc import Callable
from typing import Any

from grader.laws.compare import broken, kind_of
from grader.laws.errors import LawBroken, StudentError

DATA_DEPENDENT = (
    "cannot be called on meta tensors",  # Tensor.item(), as in `if mask.any():`
    "no fake impl or Meta kernel registered",
    "data-independent implementation does not exist",
    "Cannot copy out of meta tensor",  # Tensor.tolist()
    "unsupported scalarType",  # torch.autocast("meta", enabled=False)
)
"""What torch says of an operation that a `meta` tensor does not have, as where the result depends on values."""


def must_raise_value_error(call: Callable[[], Any], what: str) -> None:
    """`call()`, described by `what`, raises `ValueError` and nothing else."""
    try:
        result = call()
    except ValueError:
        return
    except (LawBroken, NotImplementedError):
        raise  # a name that is missing, or not written yet
    except Exception as error:
        kind = error.kind if isinstance(error, StudentError) else type(error).__name__
        broken(f"{what} should raise a ValueError, but it raised {kind}: {error}")
    broken(f"{what} should raise a ValueError, but it returned {kind_of(result)}.")


def on_meta(call: Callable[[], Any], what: str) -> Any:
    """The result of `call()`, which only uses `meta` tensors; None where `meta` cannot tell.

    A tensor on `meta` has a shape, a dtype and no values, and refuses to meet a tensor of another device.
    So code that makes its helpers on the CPU shows on a machine without a GPU.
    """
    try:
        return call()
    except (RuntimeError, TypeError) as error:
        words = str(error)
        if any(known in words for known in DATA_DEPENDENT):
            return None
        if "meta" not in words:
            raise
        broken(f"{what} does not stay on the device of its inputs: {words.splitlines()[0]}")
