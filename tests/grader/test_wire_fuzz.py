"""A worker that says anything at all: the judge loses it, in bounded time and memory, and no law is passed.

`test_wire.py` has the parts; here whatever arrives goes the whole way, from the socket to a law.
"""

import contextlib
import json
import resource
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor

from grader.course import EXERCISES
from grader.judge.calls import call
from grader.judge.link import Link, Policy
from grader.judge.mirror import Mirror, Target
from grader.judge.remote import RemoteImplementation
from grader.laws.attention import attend
from grader.laws.errors import LawBroken, StudentError, WorkerLost
from grader.worker import frames
from grader.worker.modules import TrackedModule
from grader.worker.values import Encoder
from tests.exercises import test_ex2_attention as laws
from tests.exercises.test_ex2_attention import own_causal_mask
from tests.grader.untrue_worker import UntrueWorker

FUZZ = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
HEAD = struct.Struct("<4sIIQ")
SECONDS = 2.0
MEGABYTES = 200
# What is pointed at by the answers: right and wrong shapes and dtypes, and a tensor without values.
TENSORS = [
    torch.ones(3, 3, dtype=torch.bool),
    torch.zeros(2, 3, 4, 5),
    torch.randn(3),
    torch.randn(3, dtype=torch.float64),
    torch.empty(3, device="meta"),
    torch.ones(1, 1).expand(1 << 10, 1 << 10),
]
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
POINTERS = st.integers(0, len(TENSORS)).map(lambda position: {"$t": position})
MARKS = st.sampled_from(["$t", "$u", "$d", "$s", "$y", "$v", "$l", "$o", "handle", "module", "type", "nodes"])
TREES = st.recursive(
    LEAVES | POINTERS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(lambda items: {"$u": items})
        | st.dictionaries(MARKS, inner, max_size=3)
        | st.text(max_size=8).map(lambda name: {"$o": {"handle": 7, "type": name}})
    ),
    max_leaves=10,
)
Answer = Callable[[dict[str, Any]], tuple[Any, list[Tensor]] | bytes]


class Teller(UntrueWorker):
    """A worker that loads whatever it is sent and answers everything else as it was told to."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self._answer = answer
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(frames.ProtocolError, OSError), self.theirs:
            while True:
                request, _ = frames.receive(self.theirs, frames.FROM_JUDGE)
                if request["op"] == "load":
                    frames.send(self.theirs, {"id": request["id"], "ok": {"missing": []}})
                    continue
                answer = self._answer(request)
                if isinstance(answer, bytes):
                    self.theirs.sendall(answer)
                    return
                frames.send(self.theirs, *answer)

    def close(self) -> None:
        self.sock.close()
        self._thread.join(SECONDS)


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """What happens inside takes no longer and no more memory than the judge can afford for one frame."""
    began, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert time.process_time() - began < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEGABYTES << 10


def ask(answer: Answer) -> Any:
    """The value of one call, differentiated if it can be."""
    teller = Teller(answer)
    x = torch.randn(3, requires_grad=True)
    try:
        value = call(Link(teller, Policy(1.0)), Target("f", "f", module="exercises.x"), (x,), {})
        if isinstance(value, Tensor) and value.requires_grad and value.is_floating_point():
            value.sum().backward()
            assert x.grad is None or (x.grad.shape, x.grad.dtype, x.grad.device) == (x.shape, x.dtype, x.device)
        return value
    finally:
        teller.close()


@pytest.mark.parametrize("results", [[], [{"$t": 0}] * 3, {"$u": [{"$t": 0}] * 2}, None, {"$d": []}])
def test_another_number_of_results_than_calls(results: Any) -> None:
    teller = Teller(lambda request: ({"id": request["id"], "ok": {"value": results}}, [TENSORS[0]]))
    impl = RemoteImplementation(lambda: teller, EXERCISES["ex2"], {"exercises/ex2_attention.py": ""})
    try:
        with pytest.raises(WorkerLost):
            impl.each("causal_mask", [((3,), {}), ((3,), {})])
    finally:
        impl.close()


def frame_of(tree: Any, tensors: list[Tensor]) -> bytes:
    """A frame's bytes."""
    mine, theirs = socket.socketpair()
    with mine, theirs:
        frames.send(theirs, tree, tensors)
        return mine.recv(1 << 22)


def module_reply() -> bytes:
    encoder = Encoder(lambda value, _: {"handle": 1, "module": encoder.tree(TrackedModule(value).look())})
    return frame_of({"id": 1, "ok": {"value": encoder.tree(torch.nn.Linear(2, 2))}}, encoder.tensors)


REPLIES = {
    "tensor": frame_of({"id": 1, "ok": {"value": {"$t": 0}, "differentiable": [0]}}, [torch.randn(3)]),
    "module": module_reply(),
    "failure": frame_of(
        {"id": 1, "error": {"type": "E", "builtins": ["ValueError"], "message": "m", "frames": []}}, []
    ),
}


@FUZZ
@given(st.binary(max_size=400), st.booleans(), st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1))
def test_any_bytes_only_lose_the_worker(data: bytes, headed: bool, header: int, payload: int) -> None:
    head = HEAD.pack(b"TBH1", 0, header, payload) if headed else b""
    with bounded(), pytest.raises(WorkerLost):
        ask(lambda _: head + data)


@FUZZ
@given(
    st.sampled_from(sorted(REPLIES)),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), min_size=1, max_size=5),
    st.integers(0, 2000),
)
def test_changed_replies_are_values_or_lose_the_worker(kind: str, changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(REPLIES[kind])
    for place, byte in changes:
        data[place % len(data)] = byte
    with bounded(), contextlib.suppress(WorkerLost, StudentError):
        ask(lambda _: bytes(data[:cut]) if cut < len(data) // 4 else bytes(data))


@FUZZ
@given(TREES, st.lists(st.sampled_from(TENSORS), max_size=3), st.none() | st.lists(st.integers(-1, 2), max_size=3))
def test_any_gradient_fits_or_loses_the_worker(tree: Any, found: list[Tensor], present: Any) -> None:
    def answer(request: dict[str, Any]) -> tuple[Any, list[Tensor]]:
        if request["op"] == "grad":
            positions = tree if present is None else present
            return {"id": request["id"], "ok": {"present": positions}}, found
        return {"id": request["id"], "ok": {"value": {"$t": 0}, "differentiable": [0]}}, [torch.randn(3)]

    with bounded(), contextlib.suppress(WorkerLost, StudentError):
        ask(answer)


@pytest.mark.parametrize(
    "gradient",
    [torch.empty(3, device="meta"), torch.randn(1), torch.randn(3, dtype=torch.float64)],
    ids=["meta", "another shape", "another dtype"],
)
def test_a_gradient_of_another_kind_loses_the_worker(gradient: Tensor) -> None:
    def answer(request: dict[str, Any]) -> tuple[Any, list[Tensor]]:
        if request["op"] == "grad":
            return {"id": request["id"], "ok": {"present": [0]}}, [gradient]
        return {"id": request["id"], "ok": {"value": {"$t": 0}, "differentiable": [0]}}, [torch.randn(3)]

    with pytest.raises(WorkerLost):
        ask(answer)


@FUZZ
@given(TREES, TREES)
def test_no_answer_but_the_right_one_passes_a_law(value: Any, seen: Any) -> None:
    def answer(request: dict[str, Any]) -> tuple[Any, list[Tensor]]:
        watched = {"inputs": [], "globals": [], "library": seen}
        return {"id": request["id"], "ok": {"value": value}, "watched": watched}, TENSORS

    q = k = v = torch.randn(2, 3, 4)
    for law in (
        lambda impl: own_causal_mask(impl, 4),
        lambda impl: attend(impl, q, k, v),
        laws.test_a_call_leaves_nothing_behind,
    ):
        impl = RemoteImplementation(lambda: Teller(answer), EXERCISES["ex2"], {"exercises/ex2_attention.py": ""})
        with bounded(), pytest.raises((LawBroken, WorkerLost)):
            law(impl)
        impl.close()


def frame_with(tree: str, described: list[Any] | None = None, payload: bytes = b"") -> bytes:
    """A frame around a header that no JSON writer would make."""
    header = f'{{"b": {{"id": 1, "ok": {{"value": {tree}}}}}, "t": {json.dumps(described or [])}}}'.encode()
    return HEAD.pack(b"TBH1", len(described or []), len(header), len(payload)) + header + payload


FULL = 1_000_000  # characters: what fits into a header
EXPENSIVE = {
    "nested lists": frame_with("[" * (FULL // 2) + "]" * (FULL // 2)),
    "nested marks": frame_with('{"$u":[' * (FULL // 9) + "]}" * (FULL // 9)),
    "numbers": frame_with("[" + ",".join(["1"] * (FULL // 2)) + "]"),
    "digits": frame_with("9" * FULL),
    "exponent": frame_with("1e" + "9" * FULL),
    "keys": frame_with('{"$d":[' + ",".join(f'["{i}",0]' for i in range(FULL // 12)) + "]}"),
    "objects": frame_with("[" + ",".join(f'{{"$o":{{"handle":{i},"type":"x"}}}}' for i in range(FULL // 40)) + "]"),
    "modules": frame_with(
        "["
        + ",".join(
            f'{{"$o":{{"handle":{i},"module":{{"nodes":[["","module","x",true]],"parameters":[],"buffers":[]}}}}}}'
            for i in range(FULL // 110)
        )
        + "]"
    ),
    "parts": frame_with(
        '{"$o":{"handle":1,"module":{"parameters":[],"buffers":[],"nodes":[["","module","x",true]'
        + "".join(f',["a{i}","module","x",true]' for i in range(FULL // 32))
        + "]}}}"
    ),
    "tensors": frame_with("0", [["float32", [1], None, 4, "cpu"]] * 4096, bytes(4 * 4096)),
    "one tensor": frame_with("0", [["uint8", [16 << 20], None, 16 << 20, "cpu"]], bytes(16 << 20)),
    "no values": frame_with("0", [["float64", [1 << 37], None, 0, "meta"]] * 4096),
}


@pytest.mark.parametrize("kind", EXPENSIVE)
def test_the_most_that_a_frame_may_hold_is_affordable(kind: str) -> None:
    with bounded(), contextlib.suppress(WorkerLost, StudentError):
        assert not isinstance(ask(lambda _: EXPENSIVE[kind]), Mirror) or kind == "parts"
