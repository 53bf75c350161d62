"""The laws of exercise 1: the table of sines and cosines, and the module that adds it."""

from dataclasses import dataclass

import pytest
import torch
from hypothesis import strategies as st
from torch import Tensor, nn

from grader.laws.compare import agree, check_gradient, check_tensor, require
from grader.laws.forall import forall
from grader.laws.interface import Implementation
from grader.laws.raises import must_raise_value_error, on_meta
from grader.laws.tensors import Layout, layouts, random_tensor, seeds

TABLE_ERROR = 2e-3
"""The absolute error that the contract allows an entry of the table."""

lengths = st.integers(4, 12)
even_widths = st.sampled_from((4, 6, 8, 10))
odd_widths = st.sampled_from((1, 3, 5, 7, 9))


def formula(max_len: int, d_model: int) -> Tensor:
    """The paper's table in float64, column by column."""
    columns = torch.arange(d_model)
    pairs = columns.div(2, rounding_mode="floor").to(torch.float64)
    angles = torch.arange(max_len, dtype=torch.float64).unsqueeze(1) / 10000.0 ** (2 * pairs / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())  # (max_len, d_model)


def table_of(impl: Implementation, max_len: int, d_model: int) -> Tensor:
    """The student's table, a finite float32 tensor of the right shape whose rows are not all the same."""
    name = f"sinusoidal_encoding({max_len}, {d_model})"
    table = impl.sinusoidal_encoding(max_len=max_len, d_model=d_model)
    check_tensor(table, name, shape=(max_len, d_model), dtype=torch.float32, device="cpu")
    if max_len > 1:
        changes = table.diff(dim=0).abs().amax(-1)  # (max_len - 1,)
        require(bool((changes > 1e-3).all()), f"two neighbouring rows of {name} are the same.", table=table)
    return table


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


@pytest.mark.law(
    points=3,
    property="formula",
    title="The table holds the paper's sines and cosines",
    hint="the exponent: both columns of pair i share the frequency 1 / 10000^(2i/d_model), where 2i is the even "
    "column's own number; positions count from 0; sines stand in the even columns.",
)
@forall(max_len=lengths, d_model=even_widths, max_examples=6)
def test_the_table_follows_the_formula(impl: Implementation, max_len: int, d_model: int) -> None:
    """Column 2i of row pos is sin(pos / 10000^(2i/d_model)), and column 2i+1 is the cosine of the same angle."""
    table = impl.sinusoidal_encoding(max_len=max_len, d_model=d_model)
    expected = formula(max_len, d_model).to(torch.float32)
    agree(table, expected, f"sinusoidal_encoding({max_len}, {d_model})", atol=TABLE_ERROR)


@pytest.mark.law(
    points=2,
    property="odd width",
    title="An odd d_model works",
    hint="the number of cosines: with an odd d_model there is one cosine fewer than there are sines.",
)
@forall(max_len=lengths, d_model=odd_widths, max_examples=6)
def test_an_odd_width_ends_with_a_sine(impl: Implementation, max_len: int, d_model: int) -> None:
    """With an odd d_model, one column included, the table follows the same formula and its last column is a sine."""
    table = impl.sinusoidal_encoding(max_len=max_len, d_model=d_model)
    expected = formula(max_len, d_model).to(torch.float32)
    agree(table, expected, f"sinusoidal_encoding({max_len}, {d_model})", atol=TABLE_ERROR)


@pytest.mark.law(
    points=1,
    property="row zero",
    title="Position 0 reads 0, 1, 0, 1, ...",
    hint="where counting starts (at position 0), and which columns take the sine (the even ones).",
)
@forall(max_len=st.integers(1, 4), d_model=even_widths, max_examples=4)
def test_position_zero_is_zero_one_zero_one(impl: Implementation, max_len: int, d_model: int) -> None:
    """The row of position 0 is 0, 1, 0, 1, ..., for sin(0) = 0 and cos(0) = 1; the rows after it are others."""
    table_of(impl, 3, d_model)
    table = impl.sinusoidal_encoding(max_len=max_len, d_model=d_model)
    check_tensor(table, f"sinusoidal_encoding({max_len}, {d_model})", shape=(max_len, d_model))
    agree(table[:1], (torch.arange(d_model) % 2).to(torch.float32).unsqueeze(0), "row 0", atol=1e-6)


@pytest.mark.law(
    points=1,
    property="pairs",
    title="Each pair of columns walks around a circle",
    hint="the frequency of a pair: its sine and its cosine need the same one.",
)
@forall(max_len=st.integers(9, 16), d_model=even_widths, step=st.integers(1, 3), max_examples=5)
def test_a_shift_is_a_rotation(impl: Implementation, max_len: int, d_model: int, step: int) -> None:
    """In each pair of columns the points lie on the unit circle, and going k positions further turns every one of
    them by the same angle."""
    table = table_of(impl, max_len, d_model).to(torch.float64)
    pairs = table.unflatten(-1, (d_model // 2, 2))  # (max_len, pairs, 2)
    radius = pairs.square().sum(-1)  # (max_len, pairs)
    agree(radius, torch.ones_like(radius), "sin^2 + cos^2 (a row per position, a column per pair)", atol=6e-3)
    turns = (pairs[step:] * pairs[:-step]).sum(-1)  # (max_len - step, pairs): cosine of the angle between them
    what = f"cos(angle between positions pos and pos + {step}) (a row per pos, a column per pair)"
    agree(turns, turns[:1].expand_as(turns), what, atol=1.2e-2, because="It should not depend on pos.")


@pytest.mark.law(
    points=1,
    property="wavelengths",
    title="The first pair turns fastest, the last one hardly at all",
    hint="the sign and the size of the exponent: divide the position by 10000^(2i/d_model), and divide 2i by "
    "d_model as real numbers.",
)
@forall(max_len=lengths, d_model=even_widths, max_examples=5)
def test_each_pair_turns_slower_than_the_one_before(impl: Implementation, max_len: int, d_model: int) -> None:
    """From one position to the next the first pair of columns turns by one radian, each later pair by less, and
    the last one by at most a hundredth."""
    pairs = table_of(impl, max_len, d_model).to(torch.float64).unflatten(-1, (d_model // 2, 2))
    turns = (pairs[1:] * pairs[:-1]).sum(-1)  # (max_len - 1, pairs): cosine of the angle per step
    what = "the cosine of the angle per step (a row per position, a column per pair)"
    agree(turns[:, 0], torch.full_like(turns[:, 0], 1.0).cos(), f"{what}, first pair", atol=1.2e-2)
    require(bool((turns.diff(dim=-1) > -1.2e-2).all()), f"{what} should grow from pair to pair.", cosines=turns)
    require(bool((turns[:, -1] > 0.98).all()), f"{what} should be nearly 1 for the last pair.", cosines=turns)
    last = 10000.0 ** (2 / d_model - 1)  # the angle per step of the last pair
    agree(turns[:, -1], torch.full_like(turns[:, -1], last).cos(), f"{what}, last pair", atol=1.2e-2)


@pytest.mark.law(
    points=2,
    property="far positions",
    title="Positions up to 5,000 are still exact",
    hint="the precision in which positions, frequencies and angles are computed: float16 has no odd numbers above "
    "2,048, bfloat16 none above 256. Use float32 or better.",
)
def test_far_positions_are_exact(impl: Implementation) -> None:
    """Every entry up to position 5,000 is within 0.002 of the formula, and neighbouring positions differ."""
    size, d_model = 5001, 6
    table, expected = table_of(impl, size, d_model), formula(size, d_model).to(torch.float32)
    wrong = ((table - expected).abs() > TABLE_ERROR).any(-1)  # (max_len,)
    first = min(max(0, int(wrong.to(torch.int64).argmax()) - 1), size - 4)  # up to the first wrong row
    rows = slice(first, first + 4) if wrong.any() else slice(None)
    agree(table[rows], expected[rows], f"the table at positions {first} to {first + 3}", atol=TABLE_ERROR)


@pytest.mark.law(
    points=2,
    property="addition over time",
    title="Token t gets row t of the table",
    hint="the axis that the table is added along: x is (B, T, d_model), time is its middle axis, and only the first T "
    "rows of the table are needed.",
)
@forall(case=sequence_cases, max_examples=4)
def test_forward_adds_the_table_over_time(impl: Implementation, case: SequenceCase) -> None:
    """Zeros come back as the first T rows of the table, the same for every sequence of the batch."""
    output = case.module(impl)(torch.zeros(case.shape, dtype=torch.float32))
    agree(output, case.table(impl).expand(case.shape), "forward(zeros)")


@pytest.mark.law(
    points=1,
    property="plain sum",
    title="The input itself is added unchanged",
    hint="what happens to x before the addition: nothing. Scaling by sqrt(d_model) belongs to exercise 4.",
)
@forall(case=sequence_cases, max_examples=4)
def test_the_sum_is_plain(impl: Implementation, case: SequenceCase) -> None:
    """forward(x) - x does not depend on x, in training and in evaluation mode, for a batch or a token alone too."""
    module, x = case.module(impl), case.x()
    row = module(torch.zeros(1, case.length, case.d_model, dtype=torch.float32))
    check_tensor(row, "forward(zeros)", shape=(1, case.length, case.d_model))
    require(bool(row.diff(dim=1).abs().max() > 1e-3), "forward(zeros) is the same at every position.", result=row)
    for training in (True, False):
        module.train(training)
        for part in (x, 3 * x, x[:1], x[:, :1].clone()):
            expected = part + row[:, : part.shape[1]]
            agree(module(part), expected, f"forward(x), x of shape {tuple(part.shape)}", given={"x": part})


@pytest.mark.law(
    points=1,
    property="side effects",
    title="A call leaves nothing behind",
    hint="`x += ...` and every method whose name ends in `_`: they write into the caller's tensor. Nothing global is "
    "to be set, and nothing kept from one call to the next.",
)
def test_a_call_leaves_nothing_behind(impl: Implementation) -> None:
    """Building and calling change neither the input nor any global setting, and a later call is not influenced."""
    case = SequenceCase(2, 4, 6, spare=2, layout="transposed", seed=5)  # one try: a global setting changes only once
    impl.renew()
    impl.seed(20_170_612)  # a seed that no submission sets by chance
    x, other = case.x(), random_tensor(case.shape, case.seed + 1, dtype=torch.float32)
    dense = x.contiguous().clone()
    with impl.observe(x, dense) as seen:
        table = impl.sinusoidal_encoding(max_len=case.max_len, d_model=case.d_model)
        module = case.module(impl).eval()
        first, again = module(x), module(dense)
    require(not seen.changed_inputs, "forward(x) wrote into x.", x=x)
    require(not seen.changed_globals, "; ".join(seen.changed_globals) + ".")
    check_tensor(table, "the table", shape=(case.max_len, case.d_model))
    expected = check_tensor(first, "forward(x)", shape=case.shape).clone()
    require(bool((first - x).diff(dim=1).any()), "forward(x) adds nothing that depends on the position.")
    agree(again, expected, "forward(x) of the same x, contiguous", given={"x": x})
    with torch.no_grad():
        first.zero_()
    agree(module(other), case.module(impl)(other), "forward of a second x, after a first one", given={"x": other})
    agree(module(x), expected, "forward(x), called again", given={"x": x})


@pytest.mark.law(
    points=1,
    property="no parameter",
    title="The table is not a parameter",
    hint="how the table is kept: `register_buffer`, not `nn.Parameter` (not even one with requires_grad=False).",
)
@forall(case=sequence_cases, max_examples=2)
def test_the_table_is_no_parameter(impl: Implementation, case: SequenceCase) -> None:
    """The module has no parameters: an optimizer has nothing to change, and the table stays what it is."""
    module = case.module(impl)
    names = [f"{name} {tuple(parameter.shape)}" for name, parameter in module.named_parameters()]
    require(not names, f"the module should have no parameters, but it has {', '.join(names)}.")
    output = check_tensor(module(torch.zeros(case.shape, dtype=torch.float32)), "forward(zeros)", shape=case.shape)
    require(bool(output.any()), "forward(zeros) adds nothing.")


@pytest.mark.law(
    points=1,
    property="buffer",
    title="The table moves with the module",
    hint="how the table is kept: `.to(...)` and `.double()` convert buffers (`register_buffer`) and leave plain "
    "attributes behind, so that the module breaks on a GPU.",
)
@forall(case=sequence_cases, max_examples=2)
def test_the_table_is_a_buffer_that_follows_the_module(impl: Implementation, case: SequenceCase) -> None:
    """After module.to(dtype) or module.to(device) the table has that dtype and device, and so does the result."""
    module = case.module(impl).eval().to(torch.float64)
    table = check_tensor(module(torch.zeros(case.shape, dtype=torch.float64)), "forward(zeros)", shape=case.shape)
    require(bool((table != table[:1, :1, :1]).any()), "forward(zeros) is one number everywhere.", result=table)
    for dtype in (torch.float64, torch.bfloat16, torch.float16, torch.float64):
        table = table.to(dtype)  # rounded once more: what a buffer holds goes through every dtype on the way
        output = module.to(dtype)(torch.zeros(case.shape, dtype=dtype))
        why = "Rounding differs: the table has not gone through the same dtypes as the module."
        agree(output, table, f"forward(zeros) after module.to({dtype})", atol=1e-6, because=why)

    module.to("meta")
    output = on_meta(lambda: module(torch.zeros(case.shape, dtype=torch.float64, device="meta")), "forward(x)")
    if output is not None:
        check_tensor(output, "forward(x) on meta", shape=case.shape, dtype=torch.float64, device="meta")


@pytest.mark.law(
    points=1,
    property="gradient flow",
    title="The gradient reaches every token",
    hint="whether x is detached, or the sum computed under torch.no_grad(), on its way to the result.",
)
@forall(case=sequence_cases, max_examples=3)
def test_the_gradient_reaches_every_entry(impl: Implementation, case: SequenceCase) -> None:
    """Adding a table does not stand in the way of learning: the gradient of the result arrives at x, entry by entry,
    in both modes."""
    for training in (True, False):
        module = case.module(impl).train(training)
        x = case.x().clone().requires_grad_()
        arriving = random_tensor(case.shape, case.seed + 1, dtype=torch.float32) + 0.0625  # never zero
        output = check_tensor(module(x), "forward(x)", shape=case.shape)
        require(output.requires_grad, "no gradient reaches x: the graph was cut on the way.")
        output.backward(arriving)
        gradient = check_gradient(x.grad, "x", shape=case.shape)
        ratio = gradient / arriving
        require(bool(ratio[0, 0, 0] > 0), "the gradient of x has the wrong sign.", gradient=gradient)
        agree(ratio, ratio[:1, :1, :1].expand(case.shape), "gradient of x / gradient of the result", atol=1e-3)


@pytest.mark.law(
    points=2,
    property="dropout",
    title="Dropout acts on the sum, in training mode only",
    hint="where the dropout stands: dropout(x + PE). nn.Dropout already looks at the mode and scales what it keeps.",
)
@forall(probability=st.sampled_from((0.25, 0.5, 0.75)), seed=seeds, max_examples=3)
def test_dropout_acts_on_the_sum_in_training_only(impl: Implementation, probability: float, seed: int) -> None:
    """In training, about the given share of the entries of x + PE becomes 0 and the others are divided by
    1 - dropout; in evaluation nothing is dropped, and with dropout 1 nothing is kept."""
    shape = (8, 25, 20)
    x = random_tensor(shape, seed, dtype=torch.float32) + 9  # no entry of the sum is near zero
    module = impl.PositionalEncoding(d_model=shape[2], max_len=shape[1], dropout=probability)
    without = impl.PositionalEncoding(d_model=shape[2], max_len=shape[1])(x.clone())
    plain = check_tensor(without, "forward(x) without dropout", shape=shape, dtype=torch.float32)
    require(bool((plain - x).diff(dim=1).any()), "forward(x) adds nothing that depends on the position.")
    agree(module.eval()(x.clone()), plain, f"forward(x) in evaluation mode with dropout {probability}")

    impl.seed(seed)
    module.train()
    output = check_tensor(module(x.clone()), "forward(x) in training mode", shape=shape, dtype=torch.float32)
    dropped = output == 0
    kept = torch.where(dropped, 0.0, plain / (1 - probability))
    agree(output, kept, f"forward(x) in training mode with dropout {probability}", atol=1e-3)
    for axes, margin in (((0, 1, 2), 0.08), ((0, 1), 0.25), ((0, 2), 0.25), ((1, 2), 0.25)):
        worst = float((dropped.to(torch.float32).mean(axes) - probability).abs().max())
        words = f"about a share of {probability} should be dropped everywhere, but it is off by {worst:.2f}."
        require(worst < margin, words, result=output)
    require(not torch.equal(module(x.clone()) == 0, dropped), "two calls in training mode dropped the same entries.")

    everything = impl.PositionalEncoding(d_model=shape[2], max_len=shape[1], dropout=1.0).train()
    agree(everything(x), torch.zeros(shape, dtype=torch.float32), "forward(x) in training mode with dropout 1")


@pytest.mark.law(
    points=1,
    property="errors",
    title="Too long a sequence is refused",
    hint="the comparison of T with max_len, before the addition: a table of one row would broadcast silently.",
)
@forall(max_len=st.integers(2, 5), d_model=st.integers(2, 3), max_examples=2)
def test_a_sequence_longer_than_the_table_is_refused(impl: Implementation, max_len: int, d_model: int) -> None:
    """A sequence of max_len tokens works and one of max_len + 1 raises ValueError, with max_len = 1 too, and with
    the default of 5,000."""
    modules = {size: impl.PositionalEncoding(d_model=d_model, max_len=size) for size in (1, max_len)}
    modules[5000] = impl.PositionalEncoding(d_model=d_model)
    for size, module in modules.items():
        output = module(torch.zeros(1, size, d_model, dtype=torch.float32))
        roomier = impl.PositionalEncoding(d_model=d_model, max_len=size + 3)
        expected = roomier(torch.zeros(1, size, d_model, dtype=torch.float32))
        check_tensor(expected, f"forward with max_len={size + 3}", shape=(1, size, d_model))
        require(bool(expected.any()), "forward(zeros) adds nothing.")
        agree(output, expected, f"forward of {size} tokens with max_len={size}")
        for length in (size + 1, size + 3):
            too_long = torch.zeros(2, length, d_model, dtype=torch.float32)
            must_raise_value_error(
                lambda module=module, too_long=too_long: module(too_long),  # type: ignore[misc]
                f"forward of {length} tokens with max_len={size}",
            )
