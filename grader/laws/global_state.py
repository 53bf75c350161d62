"""The process-wide settings that an exercise must leave alone: reading, comparing and restoring them."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch


@dataclass(frozen=True)
class _Setting:
    title: str
    read: Callable[[], Any]
    write: Callable[[Any], object]


def _deterministic() -> tuple[bool, bool]:
    return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()


def _anomaly() -> tuple[bool, bool]:
    return torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()


def _autocast(device: str) -> _Setting:
    def write(value: tuple[bool, torch.dtype]) -> None:
        torch.set_autocast_enabled(device, value[0])
        torch.set_autocast_dtype(device, value[1])

    def read() -> tuple[bool, torch.dtype]:
        return torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)

    return _Setting(f"autocast on {device} (enabled, dtype)", read, write)


_DRAWN = "random numbers were drawn from torch's global generator"
_CUDA_DRAWN = "torch's CUDA generator was seeded or drawn from"
DRAWS = (_DRAWN, _CUDA_DRAWN)
"""What building a module, or dropping something, may change."""

_SETTINGS = (
    _Setting("the default dtype", torch.get_default_dtype, torch.set_default_dtype),
    _Setting("gradient mode", torch.is_grad_enabled, torch._C._set_grad_enabled),
    _Setting("the default device", torch.get_default_device, torch.set_default_device),
    _Setting("the number of threads", torch.get_num_threads, torch.set_num_threads),
    _Setting(
        "the use of deterministic algorithms (enabled, warn only)",
        _deterministic,
        lambda value: torch.use_deterministic_algorithms(value[0], warn_only=value[1]),
    ),
    _Setting(
        "autograd's anomaly detection (enabled, check nan)",
        _anomaly,
        lambda value: torch.set_anomaly_enabled(value[0], value[1]),
    ),
    _Setting(
        "the precision of float32 matrix products",
        torch.get_float32_matmul_precision,
        torch.set_float32_matmul_precision,
    ),
    _autocast("cpu"),
    _autocast("cuda"),
)

_SEED_OF_A_LAW = 1706_03762  # no submission sets it by chance

Settings = tuple[Any, ...]


@dataclass(frozen=True)
class GlobalState:
    """The settings, and the states of the random generators where they were asked for."""

    settings: Settings
    seed: int
    torch_rng: bytes
    cuda_rng: tuple[bytes, ...]
    python_rng: object
    numpy_rng: bytes


def settings() -> Settings:
    """The values of all settings, without the random generators: some microseconds."""
    return tuple([setting.read() for setting in _SETTINGS])


def renew(before: Settings) -> None:
    """Put every setting back that differs from `before`, and the generators to one state, the same in every process.

    So what a law sees of code that draws does not depend on what ran before it, nor on where it runs.
    """
    restore(before)
    seed(_SEED_OF_A_LAW)


def restore(before: Settings) -> None:
    """Put every setting back that differs from `before`. The random generators are left as they are."""
    for setting, old in zip(_SETTINGS, before, strict=True):
        if setting.read() != old:
            setting.write(old)


def seed(value: int) -> None:
    """Seed the global generators of torch, Python and numpy."""
    torch.default_generator.manual_seed(value)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(value)
    random.seed(value)
    np.random.seed(value % 2**32)


def snapshot() -> GlobalState:
    """Settings and random generators, to be compared by `differences`."""
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    numpy_state: Any = np.random.get_state(legacy=True)
    return GlobalState(
        settings=settings(),
        seed=torch.initial_seed(),
        torch_rng=torch.get_rng_state().numpy().tobytes(),
        cuda_rng=tuple(state.numpy().tobytes() for state in cuda),
        python_rng=random.getstate(),
        numpy_rng=numpy_state[1].tobytes() + repr(numpy_state[2:]).encode(),
    )


def differences(before: GlobalState, after: GlobalState) -> list[str]:
    """One sentence for every setting or generator that changed.

    Drawing from torch's generator and seeding it are told apart.
    """
    found = [
        f"{setting.title} is now {new} (was {old})"
        for setting, old, new in zip(_SETTINGS, before.settings, after.settings, strict=True)
        if old != new
    ]
    if before.seed != after.seed:
        found.append("torch's global generator was seeded")
    elif before.torch_rng != after.torch_rng:
        found.append(_DRAWN)
    # A CUDA context that was opened in between has no earlier state to compare with.
    if before.cuda_rng and before.cuda_rng != after.cuda_rng:
        found.append(_CUDA_DRAWN)
    if before.python_rng != after.python_rng:
        found.append("the generator of Python's `random` was seeded or drawn from")
    if before.numpy_rng != after.numpy_rng:
        found.append("numpy's global generator was seeded or drawn from")
    return found
