"""Implementations whose code runs in another process, for tests of the façade."""

from collections.abc import Iterator

import pytest
import torch

from grader.judge.remote import RemoteImplementation
from tests.grader.remote.implementation import implementation


@pytest.fixture(scope="module")
def shared() -> Iterator[RemoteImplementation]:
    torch.set_num_threads(1)
    made = implementation()
    yield made
    made.close()


@pytest.fixture
def impl(shared: RemoteImplementation) -> RemoteImplementation:
    shared.renew()
    return shared


@pytest.fixture
def fresh() -> Iterator[RemoteImplementation]:
    made = implementation(call_seconds=0.3)
    yield made
    made.close()
