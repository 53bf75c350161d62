"""The judge's autograd goes on through the student's code in its process."""

import torch

from grader.judge.remote import RemoteImplementation


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
