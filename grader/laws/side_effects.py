"""What a call must leave alone, whatever else it does: its arguments and the global settings."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from torch import Tensor

from grader.laws.compare import require
from grader.laws.interface import Implementation


@contextmanager
def leaves_alone(
    impl: Implementation, what: str, given: Mapping[str, Tensor], where: str, *, draws: bool = False
) -> Iterator[None]:
    """What is called inside, `what`, writes into none of the `given` and changes no global setting.

    Numbers may come from torch's generators if it `draws`. Should the call fail, another law says so. `where` names the
    circumstances.
    """
    with impl.observe(*given.values()) as seen, suppress(Exception):
        yield
    written = " and ".join(list(given)[place] for place in seen.changed_inputs)
    require(not written, f"{what} wrote into {written} ({where}).")
    changed = seen.changed_settings if draws else seen.changed_globals
    require(not changed, f"after {what}, {'; '.join(changed)} ({where}).")
