"""The remote façade against a worker in a plain forked process: a law must not notice where the code runs."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from grader.course import EXERCISES
from grader.judge.link import Status
from grader.judge.mirror import Mirror, Opaque
from grader.judge.remote import RemoteImplementation
from grader.laws.errors import LawBroken, StudentError, WorkerLost
from grader.worker.serve import serve

EARLIER = """
import torch
def causal_mask(size):
    return torch.ones(size, size, dtype=torch.bool).tril()
"""

SUBMISSION = """
import os, random, sys, time
import numpy, torch
import torch.nn.functional as F
from torch import nn
from exercises.ex2_attention import causal_mask

def echo(x): return x
def keywords(a, *, b=2, c=None): return {"a": a, "b": b, "c": c, "t": (1, [2.5, None], "s", True), "d": torch.float16}
def layout(x): return [list(x.stride()), x.is_contiguous(), list(x.shape), x.device.type]
def flat(x): return x.view(-1)
def several(x, y): return x * 2, y.argmax(-1), (x * y).sum()
def same(a, b): return a is b
def detached(x): return x.detach()
def first_only(x, y): return x * 3
def cube(x, y): return (x ** 3 * y).sum(-1), y.exp()
def write_into(x): x.add_(1); return x.clone()
def fail(n): raise ValueError(f"n is {n}")
def fail_deep(n): return fail(n) if n == 0 else fail_deep(n - 1)
def not_yet(): raise NotImplementedError("write me")
def leak():
    torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); torch.manual_seed(3); random.random()
def dtype_of_new(): return torch.ones(1).dtype, torch.is_grad_enabled()
def shortcut(x): return F.scaled_dot_product_attention(x, x, x)
def draw(generator=None): return torch.rand(3, generator=generator)
def hang(): time.sleep(1000)
def spin():
    while True: pass
def die(): os._exit(0)
def leave(): sys.exit(3)
def big(): return torch.zeros(10_000_000)
def no_memory(): raise MemoryError
def strange(): return Strange()
def of_class(x): return type(x).__name__
def words(): raise ValueError("\\x1b[31mred\\u202e" + "x" * 100_000)

class Strange: pass
class Sub(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): return True
def subclass(): return torch.ones(2).as_subclass(Sub)
def sparse(): return torch.ones(2).to_sparse()

class Tied(nn.Module):
    def __init__(self, vocab=5, d_model=4):
        super().__init__()
        self.d_model = d_model
        self.embed = nn.Embedding(vocab, d_model)
        self.out = nn.Linear(d_model, vocab, bias=False)
        self.out.weight = self.embed.weight
        self.layers = nn.ModuleList([nn.Linear(d_model, d_model) for _ in range(2)])
        self.drop = nn.Dropout(0.5)
        self.register_buffer("table", torch.ones(d_model), persistent=False)
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))
        self.frozen = nn.Parameter(torch.ones(3), requires_grad=False)
    def forward(self, tokens): return self.out(self.encode(tokens))
    def encode(self, tokens, scale=1.0):
        x = self.embed(tokens) * self.table * scale
        for layer in self.layers: x = x + layer(x)
        return self.drop(x)
    def count(self): self.steps += 1

class Net(nn.Module):
    def __init__(self): super().__init__(); self.w = nn.Parameter(torch.randn(3, dtype=torch.float64))
    def forward(self, x): return (x * self.w).tanh()

def train(model, optimizer, steps=3):
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.arange(5)).pow(2).sum().backward()
        optimizer.step()
    return steps
def train_by_data(model):
    model.frozen.data.mul_(2)
def report(model): return {n: "missing" if p.grad is None else float(p.grad.sum()) for n, p in model.named_parameters()}
def decode(model, src):
    model.eval()
    return model(src).argmax(-1), model.training
def grow(model): model.extra = nn.Linear(1, 1)
def logits(model, src, tgt): return model(src, tgt).detach()
"""


class ForkedProcess:
    """A worker without a sandbox."""

    def __init__(self) -> None:
        self.sock, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self.sock.close()
                # Laws of this very process may have loaded their implementation; a zygote never has one.
                for name in [name for name in sys.modules if name.partition(".")[0] == "exercises"]:
                    del sys.modules[name]
                serve(theirs)
            finally:
                os._exit(1)
        theirs.close()
        self._why: tuple[Status, str] = ("error", "The program exited by itself.")

    def cpu_seconds(self) -> float:
        return time.clock_gettime(~self.pid << 3 | 2)

    def kill(self, why: str, status: Status = "error") -> None:
        self._why = status, f"The program {why} and was stopped."
        os.kill(self.pid, signal.SIGKILL)

    def describe_exit(self) -> tuple[Status, str]:
        return self._why

    def close(self) -> None:
        self.sock.close()
        os.waitpid(self.pid, 0)


def implementation(text: str = SUBMISSION, earlier: str = EARLIER, **options: Any) -> RemoteImplementation:
    files = {"exercises/ex3_multi_head_attention.py": text, "exercises/ex2_attention.py": earlier}
    return RemoteImplementation(ForkedProcess, EXERCISES["ex3"], files, **options)


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


# values


@pytest.mark.parametrize(
    "x",
    [
        torch.randn(3),
        torch.tensor(2.5),
        torch.zeros(0, 3),
        torch.randn(2, 3).to(torch.bfloat16),
        torch.randn(3).half(),
        torch.tensor([True, False]),
        torch.arange(5),
        torch.arange(5, dtype=torch.uint8),
        torch.randn(2, 2, dtype=torch.complex64),
        torch.tensor([float("nan"), float("inf"), -0.0]),
        torch.randn(2, 2, dtype=torch.complex64).conj(),
    ],
    ids=str,
)
def test_dtypes(impl: RemoteImplementation, x: Tensor) -> None:
    y = impl.echo(x)
    assert y.dtype == x.dtype
    torch.testing.assert_close(y, x, rtol=0, atol=0, equal_nan=True)


def test_strides(impl: RemoteImplementation) -> None:
    x = torch.randn(2, 3, 4)
    for y in (
        x,
        x.transpose(0, 2),
        x.permute(2, 0, 1),
        x[:1].expand(5, 3, 4),
        torch.tensor(1.0).expand(2, 3),
    ):
        strides, contiguous, shape, _ = impl.layout(y)
        assert (tuple(strides), contiguous, shape) == (y.stride(), y.is_contiguous(), list(y.shape))
        assert torch.equal(impl.echo(y), y)
        assert impl.echo(y).stride() == y.stride()
    assert impl.layout(x[:, ::2])[1]
    assert torch.equal(impl.echo(x[:, ::2]), x[:, ::2])
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        impl.flat(x.transpose(0, 2))


def test_meta_tensors_stay_meta(impl: RemoteImplementation) -> None:
    x = torch.empty(1000, 1000, 1000, device="meta", dtype=torch.float16)
    assert impl.layout(x)[2:] == [[1000, 1000, 1000], "meta"]
    y = impl.echo(x.transpose(0, 1))
    assert y.is_meta
    assert y.stride() == x.transpose(0, 1).stride()


def test_trees(impl: RemoteImplementation) -> None:
    expected = {"a": [1, (2, 3)], "b": 2, "c": {"k": [None, 1e300]}, "t": (1, [2.5, None], "s", True)}
    assert impl.keywords([1, (2, 3)], c={"k": [None, 1e300]}) == expected | {"d": torch.float16}


def test_the_same_tensor_twice_is_one(impl: RemoteImplementation) -> None:
    x = torch.randn(3)
    assert impl.same(x, x)
    assert not impl.same(x, x.clone())


def test_strange_values(impl: RemoteImplementation) -> None:
    assert isinstance(impl.strange(), Opaque)
    assert impl.of_class(impl.strange()) == "Strange"
    assert isinstance(impl.sparse(), Opaque)
    y = impl.subclass()
    assert type(y) is Tensor
    assert torch.equal(y, torch.ones(2))
    with pytest.raises(TypeError, match="cannot travel"):
        impl.echo(lambda: 0)


# gradients


def test_several_outputs(impl: RemoteImplementation) -> None:
    x, y = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)
    a, b, c = impl.several(x, y)
    assert (a.requires_grad, b.requires_grad, c.requires_grad, b.dtype) == (True, False, True, torch.int64)
    (a.sum() + c).backward()
    assert x.grad is not None
    assert y.grad is not None
    assert torch.allclose(x.grad, 2 + y.detach())
    assert torch.allclose(y.grad, x.detach())


def test_which_inputs_matter(impl: RemoteImplementation) -> None:
    x, y = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)
    assert torch.autograd.grad(impl.first_only(x, y).sum(), (x, y), allow_unused=True)[1] is None
    assert not impl.detached(x).requires_grad
    with torch.no_grad():
        assert not impl.echo(x).requires_grad
    a, _, c = impl.several(x, x)
    assert torch.allclose(torch.autograd.grad(a.sum() + c, x)[0], 2 + 2 * x.detach())


def test_gradcheck(impl: RemoteImplementation) -> None:
    x, y = (torch.randn(2, 3, dtype=torch.double, requires_grad=True) for _ in range(2))
    assert torch.autograd.gradcheck(impl.cube, (x, y))
    assert torch.autograd.gradgradcheck(impl.cube, (x, y))
    net = impl.Net()
    assert torch.autograd.gradgradcheck(lambda x, w: net(x) * w, (x, y))


def test_graphs_are_forgotten(impl: RemoteImplementation) -> None:
    for _ in range(5):
        x = torch.randn(3, requires_grad=True)
        impl.several(x, x)[2].backward()
    assert impl._link is not None
    assert len(impl._link._free) <= 1


# modules


def test_a_mirror_has_the_students_parts(impl: RemoteImplementation) -> None:
    assert isinstance(impl.Tied(), nn.Module)
    model = impl.Tied()
    names = [name for name, _ in model.named_parameters()]
    assert names == ["frozen", "embed.weight"] + [f"layers.{i}.{p}" for i in "01" for p in ("weight", "bias")]
    assert model.out.weight is model.embed.weight
    assert not model.frozen.requires_grad
    assert set(dict(model.named_buffers())) == {"table", "steps"}
    assert "table" not in model.state_dict()
    assert {"steps", "out.weight"} <= set(model.state_dict())
    assert len(model.layers) == 2
    assert [layer.weight.shape for layer in model.layers] == [(4, 4)] * 2
    assert model.d_model == 4
    assert hasattr(model, "encode")
    assert not hasattr(model, "nothing")
    assert "Dropout" in repr(model)


def test_a_mirror_computes(impl: RemoteImplementation) -> None:
    model, tokens = impl.Tied().eval(), torch.arange(5)
    with torch.no_grad():
        for layer in model.layers:
            layer.weight.zero_()
            layer.bias.zero_()
    expected = model.embed.weight @ model.embed.weight.t()
    torch.testing.assert_close(model(tokens), expected)
    torch.testing.assert_close(model.encode(tokens, scale=2.0), 2 * model.embed.weight)
    torch.testing.assert_close(model.layers[0](torch.ones(4)), torch.zeros(4))
    model(tokens).sum().backward()
    (gradient,) = torch.autograd.grad(expected.sum(), model.embed.weight)
    torch.testing.assert_close(model.embed.weight.grad, gradient)
    assert model.frozen.grad is None


def test_training_and_evaluation_mode(impl: RemoteImplementation) -> None:
    model, tokens = impl.Tied(), torch.arange(5)
    assert model.training
    assert not torch.equal(model(tokens), model(tokens))
    model.drop.eval()
    assert torch.equal(model(tokens), model(tokens))
    assert impl.decode(model, tokens)[1] is False
    assert not any(part.training for part in model.modules())


def test_an_optimizer_of_the_judge(impl: RemoteImplementation) -> None:
    model, tokens = impl.Tied().eval(), torch.arange(5)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = model(tokens).pow(2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True)


def test_a_training_function(impl: RemoteImplementation) -> None:
    model = impl.Tied().eval()
    weight = model.embed.weight
    before = weight.detach().clone()
    assert impl.train(model, impl.optimizer(model, "SGD", lr=1e-4)) == 3
    assert model.embed.weight is weight
    assert not torch.equal(weight, before)
    assert model.training
    impl.train_by_data(model)
    assert torch.equal(model.frozen, torch.full((3,), 2.0))


def test_gradients_travel_with_an_argument(impl: RemoteImplementation) -> None:
    model = impl.Tied()
    assert set(impl.report(model).values()) == {"missing"}
    model.frozen.grad = torch.ones(3)
    assert impl.report(model)["frozen"] == 3.0
    model.frozen.grad += 1
    assert impl.report(model)["frozen"] == 6.0
    model.zero_grad()
    assert impl.report(model)["frozen"] == "missing"


def test_state_dict_round_trip(impl: RemoteImplementation) -> None:
    one, two, tokens = impl.Tied().eval(), impl.Tied().eval(), torch.arange(5)
    assert not torch.equal(one(tokens), two(tokens))
    two.load_state_dict(one.state_dict())
    assert torch.equal(one(tokens), two(tokens))
    two.embed.weight = nn.Parameter(torch.zeros(5, 4))
    assert not torch.equal(one(tokens), two(tokens))


def test_buffers_and_new_parts_come_back(impl: RemoteImplementation) -> None:
    model = impl.Tied()
    model.count()
    assert model.steps == 1
    impl.grow(model)
    assert model.extra.weight.shape == (1, 1)
    assert "extra.bias" in model.state_dict()


def test_conversion(impl: RemoteImplementation) -> None:
    model, tokens = impl.Tied().eval(), torch.arange(5)
    weight = model.embed.weight
    assert model.to(torch.float64)(tokens).dtype == torch.float64
    assert model.embed.weight is weight
    assert weight.dtype == torch.float64
    assert model.out.weight is weight
    assert model.float()(tokens).dtype == torch.float32
    assert model.to("meta")(torch.empty(2, 3, dtype=torch.long, device="meta")).shape == (2, 3, 5)
    assert model.embed.weight.is_meta


def test_deepcopy(impl: RemoteImplementation) -> None:
    import copy

    model, tokens = impl.Tied().eval(), torch.arange(5)
    copied = copy.deepcopy(model)
    assert torch.equal(copied(tokens), model(tokens))
    with torch.no_grad():
        copied.embed.weight.zero_()
    assert not torch.equal(copied(tokens), model(tokens))


def test_probe_and_earlier_and_generator(impl: RemoteImplementation) -> None:
    model = impl.probe("LinearSeq2Seq", 7, d_model=3)
    assert impl.logits(model, torch.zeros(1, 2).long(), torch.zeros(1, 4).long()).shape == (1, 4, 7)
    assert torch.equal(impl.earlier.causal_mask(3), torch.ones(3, 3, dtype=torch.bool).tril())
    assert torch.equal(impl.draw(generator=impl.generator(4)), impl.draw(generator=impl.generator(4)))
    impl.seed(5)
    first = impl.draw()
    impl.seed(5)
    assert torch.equal(first, impl.draw())


# side effects


def test_observe(impl: RemoteImplementation) -> None:
    x, y = torch.zeros(2), torch.full((2,), float("nan"))
    with impl.observe(y, x) as seen:
        impl.echo(y)
        impl.write_into(x)
        impl.leak()
    assert seen.changed_inputs == [1]
    assert torch.equal(x, torch.zeros(2))
    assert len(seen.changed_globals) == 4
    assert "torch.float64" in seen.changed_globals[0]
    impl.renew()
    assert impl.dtype_of_new() == (torch.float32, True)
    with impl.observe(x) as seen:
        impl.echo(x)
    assert (seen.changed_inputs, seen.changed_globals) == ([], [])


def test_library_calls(impl: RemoteImplementation) -> None:
    impl.library_calls.clear()
    with impl.observe():
        impl.shortcut(torch.randn(1, 2, 3))
    assert impl.library_calls == {"torch.nn.functional.scaled_dot_product_attention"}


# failures


def test_exceptions(impl: RemoteImplementation) -> None:
    with pytest.raises(ValueError, match="n is 4") as caught:
        impl.fail(4)
    error = caught.value
    assert isinstance(error, StudentError)
    (frame,) = error.frames
    assert (frame.file, frame.function) == ("exercises/ex3_multi_head_attention.py", "fail")
    assert frame.text.startswith("def fail(n): raise ValueError")
    with pytest.raises(NotImplementedError):
        impl.not_yet()
    with pytest.raises(ValueError, match="n is 0") as caught:
        impl.fail_deep(100)
    assert len(caught.value.frames) == 24  # type: ignore[attr-defined]
    with pytest.raises(StudentError) as left:
        impl.leave()
    assert left.value.kind == "SystemExit"
    with pytest.raises(RuntimeError, match="leaf Variable"):
        impl.write_into(torch.zeros(2, requires_grad=True))
    with pytest.raises(StudentError) as worded:
        impl.words()
    assert str(worded.value).startswith(r"\u001b[31mred\u202ex")
    assert len(str(worded.value)) < 5000
    with pytest.raises(LawBroken, match="MultiHeadAttention"):
        impl.MultiHeadAttention(4, 2)


def test_a_lost_worker_is_replaced_in_the_next_law(fresh: RemoteImplementation) -> None:
    for name, status in (
        ("die", "error"),
        ("no_memory", "out_of_memory"),
        ("big", "error"),
        ("spin", "timeout"),
    ):
        model = fresh.Tied()
        with pytest.raises(WorkerLost) as lost:
            getattr(fresh, name)()
        assert lost.value.status == status
        with pytest.raises(WorkerLost) as again:
            fresh.echo(1)
        assert again.value is lost.value
        fresh.renew()
        assert fresh.echo(1) == 1
        with pytest.raises(WorkerLost):
            fresh.decode(model, torch.arange(3))


def test_a_function_out_of_time_twice_is_not_tried_again(fresh: RemoteImplementation) -> None:
    for _ in range(2):
        with pytest.raises(WorkerLost):
            fresh.hang()
        fresh.renew()
    start = time.monotonic()
    with pytest.raises(WorkerLost, match="not tried again") as lost:
        fresh.hang()
    assert time.monotonic() - start < 1
    assert lost.value.status == "timeout"
    assert fresh.echo(1) == 1


def test_allow(fresh: RemoteImplementation) -> None:
    with fresh.allow(cpu_seconds=0.05), pytest.raises(WorkerLost, match=r"0\.05 s"):
        fresh.spin()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ValueError('at import')", "ValueError: at import"),
        ("import os; os._exit(0)", "exited"),
        ("raise SystemExit", "SystemExit"),
        ("def f(:", "SyntaxError"),
        ("while True: pass", "import ex3"),
        ("import exercises.ex1_positional_encoding", "No module named 'exercises.ex1_positional_encoding'"),
    ],
)
def test_a_file_that_cannot_be_loaded(text: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spawned = []

    def spawn() -> ForkedProcess:
        spawned.append(ForkedProcess())
        return spawned[-1]

    made = implementation(text, load_seconds=0.2)
    monkeypatch.setattr(made, "_spawn", spawn)
    for _ in range(3):
        with pytest.raises(WorkerLost, match=words):
            made.echo(1)
        made.renew()
    assert len(spawned) == 2


def test_source_and_unknown_names(impl: RemoteImplementation) -> None:
    assert impl.source == SUBMISSION
    with pytest.raises(AttributeError):
        impl.nowhere(1)
    with pytest.raises(AttributeError):
        _ = impl.earlier.nowhere
    assert isinstance(impl.Tied(), Mirror)
