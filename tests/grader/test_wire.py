"""Frames and values from a hostile peer: whatever arrives, one kind of exception comes out, soon."""

import copy
import json
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from grader.judge.calls import call
from grader.judge.failures import student_error
from grader.judge.link import Link, Policy, Watched
from grader.judge.mirror import Target
from grader.judge.text import clean
from grader.laws.errors import StudentError, WorkerLost
from grader.laws.interface import Observation
from grader.worker import frames
from grader.worker.modules import TrackedModule
from grader.worker.values import Encoder, decode
from tests.grader.untrue_worker import UntrueWorker

FUZZ = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
HEAD = struct.Struct("<4sIIQ")
TENSORS = [torch.randn(2, 3), torch.tensor([True, False]), torch.randn(2, 3).t(), torch.ones(1).expand(4)]

LEAVES = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5)
KEYS = st.sampled_from(
    [
        "$t",
        "$u",
        "$d",
        "$y",
        "$s",
        "$l",
        "$v",
        "$o",
        "handle",
        "module",
        "type",
        "path",
        "nodes",
        "parameters",
    ]
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def clock(seconds: float = 2.0) -> frames.Clock:
    return frames.Clock(seconds, lambda: 0.0, stretch=1.0)


def feed(data: bytes) -> tuple[Any, list[Tensor]]:
    mine, theirs = socket.socketpair()
    with mine, theirs:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        return frames.receive(mine, frames.FROM_WORKER, clock())


def frame(tree: Any, tensors: list[Tensor]) -> bytes:
    mine, theirs = socket.socketpair()
    with mine, theirs:
        frames.send(mine, tree, tensors, clock())
        return theirs.recv(1 << 20)


def raw_frame(tree: Any, described: list[Any], payload: bytes = b"") -> bytes:
    header = json.dumps({"b": tree, "t": described}).encode()
    return HEAD.pack(b"TBH1", len(described), len(header), len(payload)) + header + payload


def refuse(value: Any, *_: Any) -> Any:
    raise TypeError(f"{value!r} does not travel")


@FUZZ
@given(st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255)), min_size=1, max_size=6), st.integers(0, 900))
def test_changed_bytes(changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(frame({"value": {"$t": 0}, "id": 1}, TENSORS))
    for place, byte in changes:
        data[place % len(data)] = byte
    try:
        tree, tensors = feed(bytes(data[:cut]) if cut < len(data) // 2 else bytes(data))
        decode(tree, tensors, refuse)
    except frames.ProtocolError:
        pass


@FUZZ
@given(TREES, st.lists(TREES, max_size=2))
def test_any_header(tree: Any, described: list[Any]) -> None:
    try:
        received, tensors = feed(raw_frame(tree, described))
        decode(received, tensors, refuse)
    except frames.ProtocolError:
        pass


@pytest.mark.parametrize(
    "described",
    [
        ["float32", [2, 2], [5, 1], 16, "cpu"],
        ["float32", [2, -2], None, 16, "cpu"],
        ["float32", [1 << 39, 1 << 39], None, 16, "cpu"],
        ["float32", [0, 1 << 40, 1 << 40], None, 0, "cpu"],
        ["float32", [1 << 30], [0], 4, "cpu"],
        ["float32", [1 << 40, 1 << 40], None, 0, "meta"],
        ["float32", [4], None, 15, "cpu"],
        ["float32", [4], None, 16, "cuda"],
        ["object", [2], None, 16, "cpu"],
        ["float32", [2, 2], [2, 1, 1], 16, "cpu"],
        ["float32", [1] * 20, None, 4, "cpu"],
        ["float32", [True], None, 4, "cpu"],
        ["float32", [4], None, 16],
        "float32",
    ],
    ids=str,
)
def test_impossible_tensors(described: Any) -> None:
    with pytest.raises(frames.ProtocolError):
        feed(raw_frame(None, [described], bytes(16)))


def test_impossible_truth_values() -> None:
    with pytest.raises(frames.ProtocolError):
        feed(raw_frame(None, [["bool", [4], None, 4, "cpu"]], b"\1\0\7\1"))


def test_frames_over_the_limits() -> None:
    limits = frames.FROM_WORKER
    for count, header, payload in (
        (limits.tensors + 1, 2, 0),
        (0, limits.header + 1, 0),
        (1, 2, limits.payload + 1),
    ):
        with pytest.raises(frames.ProtocolError, match="limits"):
            feed(HEAD.pack(b"TBH1", count, header, payload))


@pytest.mark.parametrize(
    "tree",
    [
        json.loads("[" * 900 + "]" * 900),
        {"$d": [[{"$u": [i * (2**61 - 1)]}, 0] for i in range(30_000)]},
        {"$d": [[[1], 2]]},
        {"$s": [{"$t": 0}]},
        {"$t": -1},
        {"$t": True},
        {"$y": []},
        {"$y": "object"},
        {},
    ],
    ids=lambda tree: str(tree)[:40],
)
def test_impossible_values(tree: Any) -> None:
    start = time.monotonic()
    with pytest.raises(frames.ProtocolError):
        decode(tree, TENSORS, refuse)
    assert time.monotonic() - start < 1


def test_deep_json() -> None:
    header = b"[" * 100_000
    with pytest.raises(frames.ProtocolError):
        feed(HEAD.pack(b"TBH1", 0, len(header), 0) + header)


@FUZZ
@given(
    st.recursive(
        LEAVES,
        lambda inner: (
            st.lists(inner, max_size=4).map(tuple)
            | st.lists(inner, max_size=4)
            | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
        ),
        max_leaves=12,
    )
)
def test_values_come_back(value: Any) -> None:
    encoder = Encoder(refuse)
    tree, tensors = feed(frame(encoder.tree([value, TENSORS]), encoder.tensors))
    back, back_tensors = decode(tree, tensors, refuse)
    assert repr(back) == repr(value)
    for sent, received in zip(TENSORS, back_tensors, strict=True):
        assert torch.equal(sent, received)
        assert sent.stride() == received.stride()


def test_half_a_character_is_replaced() -> None:
    assert decode("a\ud800", [], refuse) == "a?"


def test_a_silent_peer_is_late() -> None:
    mine, theirs = socket.socketpair()
    with mine, theirs:
        start = time.monotonic()
        with pytest.raises(frames.Late):
            frames.receive(mine, frames.FROM_WORKER, clock(0.1))
        with pytest.raises(frames.Late):
            frames.send(mine, None, [torch.zeros(1 << 20)], clock(0.1))
        assert time.monotonic() - start < 2


def test_computing_is_charged_and_waiting_is_not() -> None:
    used = [0.0]
    working = frames.Clock(0.1, lambda: used[0])
    time.sleep(0.06)
    assert working.left() > 0
    time.sleep(0.1)
    assert working.left() > 0
    used[0] = 0.2
    time.sleep(0.11)
    assert working.left() == 0
    waiting = frames.Clock(0.02, lambda: 0.0, stretch=3)
    end = time.monotonic() + 1
    while waiting.left() > 0:
        assert time.monotonic() < end
        time.sleep(0.01)


# a whole worker that lies


class Liar(UntrueWorker):
    """A worker whose one answer is ready before it is asked."""

    def __init__(self, tree: Any, tensors: list[Tensor]) -> None:
        super().__init__()
        frames.send(self.theirs, tree, tensors, clock())
        self.theirs.shutdown(socket.SHUT_WR)


def ask(reply: Any) -> None:
    """One call of a worker that answers so: a value or one of the two exceptions, and gradients likewise."""
    liar = Liar(reply, TENSORS + module_answer()[1])
    policy = Policy(1.0)
    x = torch.randn(3, requires_grad=True)
    policy.watched.append(Watched((x,), Observation()))
    link = Link(liar, policy)
    try:
        value = call(link, Target("f", "f", module="exercises.x"), (x,), {})
        if isinstance(value, Tensor) and value.requires_grad:
            value.sum().backward()
        if isinstance(value, nn.Module):
            repr(value)
            value.state_dict()
    except (StudentError, WorkerLost):
        pass
    finally:
        liar.close()


@FUZZ
@given(TREES, st.lists(st.integers(-1, 4), max_size=3) | TREES, TREES, TREES)
def test_any_answer(value: Any, differentiable: Any, changes: Any, watched: Any) -> None:
    seen: dict[str, Any] = {"inputs": [], "globals": watched, "library": changes}
    for reply in (
        {"ok": {"value": value, "differentiable": differentiable}, "changes": [], "watched": seen},
        {"ok": {"value": value}, "changes": changes, "watched": watched},
        {"error": value, "changes": changes},
    ):
        ask(reply | {"id": 1})


def module_answer() -> tuple[Any, list[Tensor]]:
    """A described module, its tensors counted behind `TENSORS`."""
    encoder = Encoder(refuse)
    encoder.tree(TENSORS)
    module = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    return encoder.tree(TrackedModule(module).look()), encoder.tensors[len(TENSORS) :]


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every container and key in a tree."""
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from places(tree[key])


@FUZZ
@given(st.data())
def test_any_module(data: st.DataObject) -> None:
    tree = copy.deepcopy(module_answer()[0])
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(list(places(tree))))
        container[key] = data.draw(TREES | st.just({"$t": 0}) | st.sampled_from(["", "0", "1.weight", "a.b", "..."]))
    seen: dict[str, Any] = {"inputs": [], "globals": [], "library": []}
    ask({"id": 1, "ok": {"value": {"$o": {"handle": 1, "module": tree}}}, "watched": seen})


@FUZZ
@given(TREES | st.dictionaries(st.sampled_from(["type", "builtins", "message", "frames"]), TREES, max_size=4))
def test_any_description_of_a_failure(described: Any) -> None:
    error = student_error(described)
    assert isinstance(error, StudentError)
    assert clean(str(error), 100) == str(error)[:100]


def test_a_failure_cannot_steer_the_judge() -> None:
    for name in ("SystemExit", "KeyboardInterrupt", "StopIteration", "BaseException", "print", "Exception"):
        assert type(student_error({"builtins": [name]})) is StudentError
    assert isinstance(student_error({"builtins": ["Exception", "ValueError"]}), StudentError)
    assert isinstance(student_error({"builtins": ["KeyError", "LookupError"]}), KeyError)
