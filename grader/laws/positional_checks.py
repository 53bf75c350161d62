"""Sequences and their tables of positions, and checks of the module that adds them."""

from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from torch import Tensor, nn

from grader.laws.compare import agree, check_tensor, require
from grader.laws.errors import LawBroken
from grader.laws.interface import Implementation
from grader.laws.pairwise import pairwise
from grader.laws.raises import on_meta
from grader.laws.side_effects import leaves_alone
from grader.laws.tensors import Layout, layouts, random_tensor, seeds


def table_of(impl: Implementation, max_len: int, d_model: int) -> Tensor:
    """The student's table, a finite float32 tensor of the right shape whose rows are not all the same."""
    name = f"sinusoidal_encoding({max_len}, {d_model})"
    table = impl.sinusoidal_encoding(max_len=max_len, d_model=d_model)
    check_tensor(table, name, shape=(max_len, d_model), dtype=torch.float32, device="cpu")
    if max_len > 1:
        changes = table.diff(dim=0).abs().amax(-1)  # (max_len - 1,)
        require(bool((changes > 1e-3).all()), f"two neighbouring rows of {name} are the same.", table=table)
    return table


def agree_where_first_wrong(actual: Tensor, expected: Tensor, what: str, atol: float) -> None:
    """Two long tables (max_len, d_model) agree; only the rows around the first difference are drawn."""
    wrong = ((actual - expected).abs() > atol).any(-1)  # (max_len,)
    first = min(max(0, int(wrong.to(torch.int64).argmax()) - 1), len(expected) - 4)
    rows = slice(first, first + 4) if wrong.any() else slice(None)
    agree(actual[rows], expected[rows], f"{what} at positions {first} to {first + 3}", atol=atol)


@dataclass(frozen=True)
class SequenceCase:
    """A batch of sequences, shorter than the table that is added to them. B, T and d_model are all different."""

    batch: int
    length: int
    d_model: int
    spare: int
    layout: Layout
    seed: int

    def __str__(self) -> str:
        sizes = f"batch {self.batch}, T {self.length}, d_model {self.d_model}, max_len {self.max_len}"
        return f"{sizes}, x {self.layout}, seed {self.seed}"

    @property
    def max_len(self) -> int:
        return self.length + self.spare

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.batch, self.length, self.d_model

    def x(self, dtype: torch.dtype = torch.float32) -> Tensor:
        return random_tensor(self.shape, self.seed, dtype=dtype, layout=self.layout)

    def module(self, impl: Implementation, dropout: float = 0.0) -> nn.Module:
        module: nn.Module = impl.PositionalEncoding(d_model=self.d_model, max_len=self.max_len, dropout=dropout)
        return module

    def table(self, impl: Implementation) -> Tensor:
        """The first T rows of the student's own table, so that a fault in it costs the laws of the table only."""
        return table_of(impl, self.max_len, self.d_model)[: self.length]  # (T, d_model)


sequence_cases = st.builds(
    lambda sizes, **rest: SequenceCase(*sizes, **rest),
    st.tuples(st.sampled_from((2, 3)), st.sampled_from((4, 5)), st.sampled_from((6, 8))),
    spare=st.integers(1, 3),
    layout=layouts,
    seed=seeds,
)


CALLS = {
    "batch": (2, 1),
    "length": (4, 1),
    "dtype": (torch.float32, torch.float64),
    "dropout": (0.0, 0.5),
    "training": (True, False),
    "gradients": (True, False),
    "asks": ("x asks for no gradient", "x asks for gradients", "x comes from a layer"),
}


def check_every_side_effect(impl: Implementation) -> None:
    """A call leaves x and the global settings as they are, whatever the circumstances."""
    for row in pairwise(CALLS, seed=0):
        case = SequenceCase(row["batch"], row["length"], 6, spare=1, layout="contiguous", seed=5)
        module = case.module(impl, row["dropout"]).to(row["dtype"]).train(row["training"])
        x = case.x(row["dtype"]).requires_grad_("no gradient" not in row["asks"])
        x = x * 1 if "layer" in row["asks"] else x
        mode = f"in {'training' if row['training'] else 'evaluation'} mode with dropout {row['dropout']}"
        where = f"{case}, {row['dtype']}, {mode}, gradients {'on' if row['gradients'] else 'off'}; {row['asks']}"
        with (
            torch.set_grad_enabled(row["gradients"]),
            leaves_alone(impl, "forward(x)", {"x": x}, where, draws=row["training"]),
        ):
            module(x)


def check_without_dropout(module: nn.Module, x: Tensor) -> None:
    """A module with dropout 0 gives in training mode what it gives in evaluation mode, whatever the dtype."""
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        module.to(dtype)
        expected, output = (module.train(mode)(x.to(dtype)) for mode in (False, True))
        agree(output, expected, f"forward(x) in training mode with dropout 0, in {dtype}", atol=0.0)


def check_dropout_stays(module: nn.Module, x: Tensor) -> None:
    """In training mode a module gives results in the dtype and on the device that it gives them in in evaluation."""
    for dtype in (torch.float64, torch.float16, torch.bfloat16):
        module.to(dtype)
        expected, output = (module.train(mode)(x.to(dtype)) for mode in (False, True))
        what = f"forward(x) in training mode with dropout 0.5, in {dtype}"
        check_tensor(output, what, shape=x.shape, dtype=expected.dtype)
        share = float((output == 0).to(torch.float32).mean())
        require(0.4 < share < 0.6, f"{what}: about half should be dropped, not {share:.0%}.", result=output)
    module.to("meta")
    far = x.to(torch.bfloat16).to("meta")
    try:
        on_meta(lambda: module.eval()(far), "forward(x)")
    except LawBroken:
        return  # another law says so
    output = on_meta(lambda: module.train()(far), "forward(x) in training mode")
    if output is not None:
        check_tensor(output, "forward(x) in training mode, on meta", shape=x.shape, device="meta")


def check_dropped(dropped: Tensor, probability: float, output: Tensor) -> None:
    """About the right share of the entries (B, T, d_model) is dropped everywhere, and none because another one is."""
    share = dropped.to(torch.float32)
    for axes, margin in (((0, 1, 2), 0.08), ((0, 1), 0.25), ((0, 2), 0.25), ((1, 2), 0.25)):
        shares = share.mean(axes).flatten()
        worst = float(shares[(shares - probability).abs().argmax()])
        words = f"about {probability:.0%} of the entries should be dropped everywhere, but somewhere it is {worst:.0%}."
        require(abs(worst - probability) < margin, words, result=output)
    for axis, together in enumerate(("sequences", "tokens", "features")):
        alike = float((share.diff(dim=axis) == 0).to(torch.float32).mean())
        by_chance = probability**2 + (1 - probability) ** 2
        words = f"neighbouring {together} should not be dropped together, but {alike:.0%} of them share their fate."
        require(abs(alike - by_chance) < 0.12, words, result=output)
