"""Values between judge and worker: a law must not notice where the code runs."""

import pytest
import torch
from torch import Tensor

from grader.judge.mirror import Opaque
from grader.judge.remote import RemoteImplementation
from grader.laws.errors import MissingName


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
    ids=lambda x: f"{x.dtype} {tuple(x.shape)}",
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


def test_several_calls_in_one_trip(impl: RemoteImplementation) -> None:
    x = torch.zeros(2, 3).t()
    echoed, layout, same = impl.each("echo", [((x,), {})])[0], impl.layout(x), impl.each("same", [((x,), {"b": x})])
    assert torch.equal(echoed, x)
    assert (impl.each("layout", [((x,), {}), ((x.contiguous(),), {})])[0], same) == (layout, [True])
    written = impl.each("write_into", [((x,), {}), ((x,), {})])
    assert [float(y.sum()) for y in written] == [6.0, 6.0]  # each had copies of its own
    assert not x.any()
    with pytest.raises(ValueError, match="n is 4") as caught:
        impl.each("fail", [((4,), {}), ((5,), {})])
    assert [frame.function for frame in caught.value.frames] == ["fail"]  # type: ignore[attr-defined]
    with pytest.raises(MissingName):
        impl.each("MultiHeadAttention", [])


def test_strange_values(impl: RemoteImplementation) -> None:
    assert isinstance(impl.strange(), Opaque)
    assert impl.of_class(impl.strange()) == "Strange"
    assert isinstance(impl.sparse(), Opaque)
    y = impl.subclass()
    assert type(y) is Tensor
    assert torch.equal(y, torch.ones(2))
    with pytest.raises(TypeError, match="cannot travel"):
        impl.echo(lambda: 0)
