"""Frames between judge and worker: no pickle, nothing that runs on arrival.

    frame  = magic, number of tensors (u32), header length (u32), payload length (u64), header, payload
    header = JSON {"b": value tree (see `values`),
                   "t": [[dtype, shape, strides or null, bytes, "cpu" or "meta"], ...]}

Each tensor's bytes go straight from and into its own storage. A receiver treats its peer as hostile: every
length, shape and stride is checked before anything is allocated, and only `ProtocolError` comes out.
"""

import ctypes
import json
import math
import select
import socket
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

_MAGIC = b"TBH1"
_HEAD = struct.Struct("<4sIIQ")
_FLOATING = (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex64, torch.complex128)
_INTEGRAL = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)
NAMES: dict[torch.dtype, str] = {dtype: str(dtype).removeprefix("torch.") for dtype in _FLOATING + _INTEGRAL}
DTYPES: dict[str, torch.dtype] = {name: dtype for dtype, name in NAMES.items()}
_MAX_DIMENSIONS = 16
_MAX_EXTENT = 1 << 40  # of one dimension, and of a meta tensor in bytes
_BUFFERS_PER_CALL = 512  # of sendmsg; the kernel takes 1024
_READ_AHEAD = 1 << 16
# Where small frames arrive, one after the other: all of it is copied out before the next.
_CHUNK = memoryview(bytearray(_READ_AHEAD))

_to_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_from_json = json.JSONDecoder().decode


class ProtocolError(Exception):
    """What arrived is not a frame."""


class PeerClosed(ProtocolError):
    """The other side has ended."""


class Late(ProtocolError):
    """The time for this exchange is over."""


@dataclass(frozen=True)
class Limits:
    """The largest frame that a receiver takes. `payload` also bounds the logical size of each tensor."""

    header: int
    payload: int
    tensors: int


FROM_WORKER = Limits(header=1 << 20, payload=16 << 20, tensors=4096)
FROM_JUDGE = Limits(header=64 << 20, payload=1 << 30, tensors=1 << 16)


class Clock:
    """The time for one exchange: `budget` seconds of the worker's CPU, `stretch` times that by the wall.

    On a busy machine an honest worker may wait for its turn; only its own computing is charged to it. The CPU
    clock is read only when an answer is slow to come: reading it costs a tenth of a quick call.
    """

    GRACE = 0.05

    def __init__(self, budget: float, cpu: Callable[[], float], stretch: float = 5.0) -> None:
        self.budget, self.stretch = budget, stretch
        self._cpu = cpu
        self._cpu_start: float | None = None
        self._start = time.monotonic()
        self._end = self._start + budget
        self._last = self._start + budget * stretch

    def cpu_used(self) -> float:
        """CPU seconds of the worker since the end of the grace period."""
        return 0.0 if self._cpu_start is None else self._cpu() - self._cpu_start

    def left(self) -> float:
        """Seconds to wait before asking again; 0 when the time is over."""
        now = time.monotonic()
        if self._cpu_start is None:
            if now < self._start + self.GRACE:
                return self._start + self.GRACE - now
            self._cpu_start = self._cpu()
        if now < self._end:
            return self._end - now
        used = self.cpu_used()
        if used >= self.budget or now >= self._last:
            return 0.0
        self._end = min(self._last, now + max(0.02, self.budget - used))
        return self._end - now


def send(connection: socket.socket, tree: Any, tensors: Sequence[Tensor] = (), clock: Clock | None = None) -> None:
    """Send one frame. Waits without end when there is no clock."""
    stored, described = [], []
    for tensor in tensors:
        dense, strides = _dense(tensor)
        size = 0 if dense.is_meta else dense.numel() * dense.element_size()
        place = "meta" if dense.is_meta else "cpu"
        described.append([NAMES[dense.dtype], list(tensor.shape), strides, size, place])
        if size:
            stored.append(dense)
    header = _to_json({"b": tree, "t": described}).encode("ascii")
    head = _HEAD.pack(_MAGIC, len(described), len(header), sum(entry[3] for entry in described))
    buffers = [memoryview(head + header), *(_bytes_of(tensor) for tensor in stored)]
    while buffers:
        try:
            sent = connection.sendmsg(buffers[:_BUFFERS_PER_CALL], (), _flags(clock))
        except BlockingIOError:
            _wait(connection, select.POLLOUT, clock)
            continue
        except OSError as error:
            raise PeerClosed(str(error)) from None
        while buffers and sent >= len(buffers[0]):
            sent -= len(buffers.pop(0))
        if sent:
            buffers[0] = buffers[0][sent:]


def receive(connection: socket.socket, limits: Limits, clock: Clock | None = None) -> tuple[Any, list[Tensor]]:
    """Receive one frame: its value tree, unread, and its tensors."""
    incoming = _Incoming(connection, clock)
    magic, count, header_size, payload_size = _HEAD.unpack(incoming.take(_HEAD.size))
    if magic != _MAGIC:
        raise ProtocolError("not a frame")
    if count > limits.tensors or header_size > limits.header or payload_size > limits.payload:
        raise ProtocolError(f"over the limits: tensors of {payload_size >> 20} MB, {count} of them")
    tree, described = _read_header(incoming.take(header_size))
    if len(described) != count:
        raise ProtocolError("a miscounted frame")
    plans = [_Plan.read(entry, limits) for entry in described]
    if sum(plan.size for plan in plans) != payload_size:
        raise ProtocolError("a payload of another size than announced")
    tensors = [plan.receive(incoming) for plan in plans]
    if incoming.has_more:
        raise ProtocolError("more than one frame at a time")
    return tree, tensors


class _Incoming:
    """The bytes of one frame. A small frame arrives with one system call; large tensors go straight to their place.

    One side sends and then waits for the other, so nothing but this frame can be under way.
    """

    def __init__(self, connection: socket.socket, clock: Clock | None) -> None:
        self._connection, self._clock = connection, clock
        self._ahead = memoryview(b"")

    @property
    def has_more(self) -> bool:
        """Whether bytes have arrived that belong to no frame."""
        return len(self._ahead) > 0

    def take(self, size: int) -> bytearray:
        """The next bytes, in memory of their own."""
        if size <= len(self._ahead):
            taken, self._ahead = bytearray(self._ahead[:size]), self._ahead[size:]
        else:
            taken = bytearray(size)
            self.fill(memoryview(taken))
        return taken

    def fill(self, buffer: memoryview) -> None:
        """Fill the buffer with the next bytes."""
        while len(buffer):
            if not self._ahead and len(buffer) < _READ_AHEAD:
                self._ahead = _CHUNK[: self._receive(_CHUNK)]
            if self._ahead:
                got = min(len(buffer), len(self._ahead))
                buffer[:got], self._ahead = self._ahead[:got], self._ahead[got:]
            else:
                got = self._receive(buffer)
            buffer = buffer[got:]

    def _receive(self, buffer: memoryview) -> int:
        """What has arrived is read before the clock is looked at: the reader may pause."""
        while True:
            try:
                got = self._connection.recv_into(buffer, 0, _flags(self._clock))
            except BlockingIOError:
                _wait(self._connection, select.POLLIN, self._clock)
                continue
            except OSError as error:
                raise PeerClosed(str(error)) from None
            if not got:
                raise PeerClosed("the connection was closed")
            return got


def _read_header(header: bytearray) -> tuple[Any, list[Any]]:
    try:
        read = _from_json(header.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"an unreadable header: {type(error).__name__}") from None
    if type(read) is not dict or type(read.get("t")) is not list:
        raise ProtocolError("a header without its parts")
    return read.get("b"), read["t"]


@dataclass(slots=True)
class _Plan:
    """A tensor that is to arrive: checked, not yet allocated."""

    dtype: torch.dtype
    shape: list[int]
    strides: list[int] | None
    size: int
    meta: bool

    @classmethod
    def read(cls, entry: Any, limits: Limits) -> "_Plan":
        if type(entry) is not list or len(entry) != 5:
            raise ProtocolError("a badly described tensor")
        name, shape, strides, size, place = entry
        if type(name) is not str or name not in DTYPES or place not in ("cpu", "meta"):
            raise ProtocolError("a tensor of unknown dtype or place")
        if not _is_extents(shape) or not (strides is None or (_is_extents(strides) and len(strides) == len(shape))):
            raise ProtocolError("a tensor of impossible shape")
        if type(size) is not int or size < 0:
            raise ProtocolError("a tensor of impossible size")
        plan = cls(DTYPES[name], shape, strides, size, place == "meta")
        plan._check_size(limits)
        return plan

    def _check_size(self, limits: Limits) -> None:
        count, item = math.prod(self.shape), self.dtype.itemsize
        if (count or math.prod(max(1, extent) for extent in self.shape)) > _MAX_EXTENT:
            raise ProtocolError("a tensor over the limits")  # also an empty one: torch multiplies its extents
        span = count
        if self.strides is not None and count:
            pairs = zip(self.shape, self.strides, strict=True)
            span = 1 + sum((extent - 1) * stride for extent, stride in pairs)
        if max(count, span) * item > (_MAX_EXTENT if self.meta else limits.payload):
            raise ProtocolError("a tensor over the limits")
        if self.size != (0 if self.meta else span * item):
            raise ProtocolError("a tensor of another size than its shape")

    def receive(self, incoming: "_Incoming") -> Tensor:
        if self.meta:
            if self.strides is None:
                return torch.empty(self.shape, dtype=self.dtype, device="meta")
            return torch.empty_strided(self.shape, self.strides, dtype=self.dtype, device="meta")
        if 0 < self.size < _READ_AHEAD:
            stored = torch.frombuffer(incoming.take(self.size), dtype=self.dtype)
        else:
            stored = torch.empty(self.size // self.dtype.itemsize, dtype=self.dtype)
            incoming.fill(_bytes_of(stored))
        if self.dtype is torch.bool and self.size and int(stored.view(torch.uint8).max()) > 1:
            raise ProtocolError("a truth value that is neither 0 nor 1")
        if self.strides is not None:
            return stored.as_strided(self.shape, self.strides)
        return stored if len(self.shape) == 1 else stored.view(self.shape)


def _is_extents(value: Any) -> bool:
    return (
        type(value) is list
        and len(value) <= _MAX_DIMENSIONS
        and set(map(type, value)) <= {int}
        and min(value, default=0) >= 0
        and max(value, default=0) <= _MAX_EXTENT
    )


def _dense(tensor: Tensor) -> tuple[Tensor, list[int] | None]:
    """A contiguous tensor over the bytes to send, and the strides to give them on arrival (None: contiguous).

    Permuted tensors keep their layout and expanded ones their zero strides; sliced ones are copied.
    """
    plain = tensor.detach()
    if plain.device.type not in ("cpu", "meta"):
        plain = plain.cpu()
    if plain.is_conj() or plain.is_neg():
        plain = plain.resolve_conj().resolve_neg()
    if plain.is_contiguous():
        return plain, None
    dense, strides = plain, plain.stride()
    for dimension, stride in enumerate(strides):
        if stride == 0:
            dense = dense.narrow(dimension, 0, 1)
    order = sorted(range(dense.dim()), key=lambda dimension: -strides[dimension])
    dense = dense.permute(order)
    if dense.is_contiguous():
        return dense, list(strides)
    return plain.contiguous(), None


def _bytes_of(tensor: Tensor) -> memoryview:
    """A contiguous tensor's bytes, not copied: valid as long as the tensor is kept."""
    size = tensor.numel() * tensor.element_size()
    if size and not tensor.data_ptr():
        raise ValueError("a tensor whose memory was taken away cannot be sent")
    return memoryview((ctypes.c_char * size).from_address(tensor.data_ptr())).cast("B")


def _flags(clock: Clock | None) -> int:
    return 0 if clock is None else socket.MSG_DONTWAIT


def _wait(connection: socket.socket, event: int, clock: Clock | None) -> None:
    if clock is None:
        return
    left = clock.left()
    if left <= 0:
        raise Late("no time left")
    poll = select.poll()
    poll.register(connection, event)
    poll.poll(left * 1000 + 1)
