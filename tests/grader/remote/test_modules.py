"""Mirrors: the student's modules as ordinary modules of the judge."""

import torch
from torch import nn

from grader.judge.remote import RemoteImplementation


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


def test_the_first_buffer_of_a_module_comes_back(impl: RemoteImplementation) -> None:
    model = impl.Net()
    impl.remember(model)
    assert set(model.state_dict()) == {"w", "last"}


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
    model = impl.probe("RecordingSeq2Seq", 7, d_model=3)
    assert impl.logits(model, torch.zeros(1, 2).long(), torch.zeros(1, 4).long()).shape == (1, 4, 7)
    assert torch.equal(impl.earlier.causal_mask(3), torch.ones(3, 3, dtype=torch.bool).tril())
    assert torch.equal(impl.draw(generator=impl.generator(4)), impl.draw(generator=impl.generator(4)))
    impl.seed(5)
    first = impl.draw()
    impl.seed(5)
    assert torch.equal(first, impl.draw())
