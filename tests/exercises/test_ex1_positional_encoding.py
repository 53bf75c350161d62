"""The laws of exercise 1: the table of sines and cosines, and the module that adds it."""

from contextlib import suppress
from dataclasses import replace

import pytest
import torch
from hypothesis import strategies as st

from grader.laws.compare import agree, check_gradient, check_tensor, holds, require
from grader.laws.forall import forall
from grader.laws.interface import Implementation
from grader.laws.judge_transformer import sinusoids
from grader.laws.pairwise import pairwise
from grader.laws.positional_checks import (
    SequenceCase,
    agree_where_first_wrong,
    check_dropout_stays,
    check_dropped,
    check_every_side_effect,
    check_without_dropout,
    sequence_cases,
    table_of,
)
from grader.laws.raises import must_raise_value_error, on_meta
from grader.laws.tensors import random_tensor, seeds

TABLE_ERROR = 2e-3
"""The absolute error that the contract allows an entry of the table."""

lengths = st.integers(4, 12)
even_widths = st.sampled_from((4, 6, 8, 10))
odd_widths = st.sampled_from((3, 5, 7, 9))


@pytest.mark.law(
    points=3,
    property="formula",
    title="The table holds the paper's sines and cosines",
    hint="the exponent: both columns of pair i share the frequency 1 / 10000^(2i/d_model), where 2i is the even "
    "column's own number; positions count from 0; sines stand in the even columns.",
)
@forall(max_len=lengths, d_model=even_widths, max_examples=2)
def test_the_table_follows_the_formula(impl: Implementation, max_len: int, d_model: int) -> None:
    """Column 2i of row pos is sin(pos / 10000^(2i/d_model)), and column 2i+1 is the cosine of the same angle."""
    for width in (d_model, 2, 512):
        table = impl.sinusoidal_encoding(max_len=max_len, d_model=width)
        expected = sinusoids(max_len, width).to(torch.float32)
        agree(table, expected, f"sinusoidal_encoding({max_len}, {width})", atol=TABLE_ERROR)


@pytest.mark.law(
    points=2,
    property="odd width",
    title="An odd d_model works",
    hint="the number of cosines: with an odd d_model there is one cosine fewer than there are sines.",
)
@forall(max_len=lengths, d_model=odd_widths, max_examples=3)
def test_an_odd_width_ends_with_a_sine(impl: Implementation, max_len: int, d_model: int) -> None:
    """With an odd d_model, one column included, the table follows the same formula and its last column is a sine."""
    for width in (d_model, 1, 33):
        table = impl.sinusoidal_encoding(max_len=max_len, d_model=width)
        expected = sinusoids(max_len, width).to(torch.float32)
        agree(table, expected, f"sinusoidal_encoding({max_len}, {width})", atol=TABLE_ERROR)


@pytest.mark.law(
    points=1,
    property="row zero",
    title="Position 0 reads 0, 1, 0, 1, ...",
    hint="where counting starts (at position 0), and which columns take the sine (the even ones).",
)
@forall(max_len=st.integers(2, 4), d_model=even_widths, max_examples=2)
def test_position_zero_is_zero_one_zero_one(impl: Implementation, max_len: int, d_model: int) -> None:
    """The row of position 0 is 0, 1, 0, 1, ..., for sin(0) = 0 and cos(0) = 1, in a table of one row too; the rows
    after it are others."""
    for rows in (max_len, 1):
        table = table_of(impl, rows, d_model)
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
    """Every entry up to position 5,000 is within 0.002 of the formula, neighbouring positions differ, and a module
    adds these rows, in half precision too."""
    size = 5001
    for d_model in (64, 6):
        table, expected = table_of(impl, size, d_model), sinusoids(size, d_model).to(torch.float32)
        agree_where_first_wrong(table, expected, f"the table of {d_model} columns", TABLE_ERROR)
    module = impl.PositionalEncoding(d_model=d_model, max_len=size + 1).eval()
    for dtype, error in ((torch.float32, 0.0), (torch.float16, 2e-3), (torch.bfloat16, 2e-2)):
        output = module.to(dtype)(torch.zeros(1, size, d_model, dtype=dtype))
        check_tensor(output, f"forward(zeros) in {dtype}", shape=(1, size, d_model), dtype=dtype)
        agree_where_first_wrong(output[0], expected.to(dtype), f"forward(zeros) in {dtype}", TABLE_ERROR + error)


@pytest.mark.law(
    points=2,
    property="addition over time",
    title="Token t gets row t of the table",
    hint="the axis that the table is added along: x is (B, T, d_model), time is its middle axis, and only the first T "
    "rows of the table are needed.",
)
@forall(case=sequence_cases, max_examples=2)
def test_forward_adds_the_table_over_time(impl: Implementation, case: SequenceCase) -> None:
    """Zeros come back as the first T rows of the table, the same for every sequence of the batch, be there more
    tokens or more sequences, even more than max_len, and with an odd d_model, too."""
    odd = replace(case, d_model=case.d_model + 1)
    tried: list[tuple[SequenceCase, tuple[tuple[int, int], ...]]] = [
        (case, ((case.batch, case.length), (case.length, case.batch), (case.max_len + 1, 2)))
    ]
    square = replace(case, length=case.d_model)  # in which time is easily taken for the features
    tried.append((square, ((square.batch, square.length),)))
    if holds(odd.table, impl):  # if not, another law says so
        tried.append((odd, ((odd.batch, odd.length),)))
    for each, shapes in tried:
        module, table = each.module(impl), each.table(impl)
        for batch, length in shapes:
            zeros = torch.zeros(batch, length, each.d_model, dtype=torch.float32)
            agree(module(zeros), table[:length].expand(zeros.shape), f"forward(zeros), zeros {tuple(zeros.shape)},")


@pytest.mark.law(
    points=1,
    property="plain sum",
    title="The input itself is added unchanged",
    hint="what happens to x before the addition: nothing. Scaling by sqrt(d_model) belongs to exercise 4.",
)
@forall(case=sequence_cases, max_examples=2)
def test_the_sum_is_plain(impl: Implementation, case: SequenceCase) -> None:
    """forward(x) - x does not depend on x, in training and in evaluation mode, in any memory layout, for one
    sequence, for one token, and for as many tokens as sequences."""
    module, x = case.module(impl), case.x()
    transposed = 3 * replace(case, layout="transposed").x()
    row = module(torch.zeros(1, case.length, case.d_model, dtype=torch.float32))
    check_tensor(row, "forward(zeros)", shape=(1, case.length, case.d_model))
    require(bool(row.diff(dim=1).abs().max() > 1e-3), "forward(zeros) is the same at every position.", result=row)
    blank = x.index_fill(1, torch.tensor(0), 0.0)  # a token of zeros is one like any other
    for training in (True, False):
        module.train(training)
        for part in (x, transposed, x[:1], x[:, :1].clone(), x[:, : case.batch].clone(), blank):
            expected = part + row[:, : part.shape[1]]
            agree(module(part), expected, f"forward(x), x of shape {tuple(part.shape)}", given={"x": part})
    wide = replace(case, d_model=96)
    module, x = wide.module(impl).eval(), wide.x()
    agree(module(x), x + module(torch.zeros_like(x)), f"forward(x), x of shape {wide.shape}")
    x = x.double() / 3  # which no float32 holds
    expected = x + module.double()(torch.zeros_like(x))
    agree(module(x), expected, f"forward(x) in {x.dtype}, x of shape {wide.shape}", atol=1e-9)


@pytest.mark.law(
    points=1,
    property="side effects",
    title="A call leaves nothing behind",
    hint="`x += ...` and every method whose name ends in `_`: they write into the caller's tensor. Nothing global is "
    "to be set, and nothing kept from one call to the next.",
)
def test_a_call_leaves_nothing_behind(impl: Implementation) -> None:
    """In every mode building and calling change neither the input nor any global setting, and no call is influenced by
    those before it."""
    case = SequenceCase(2, 4, 6, spare=2, layout="contiguous", seed=5)  # one try: a global setting changes only once
    impl.renew()
    impl.seed(20_170_612)  # a seed that no submission sets by chance
    x, before = case.x(), case.x().clone()
    others = [x.to(dtype) for dtype in (torch.float16, torch.bfloat16, torch.float64)]
    with impl.observe(x, *others) as seen:
        table = impl.sinusoidal_encoding(max_len=case.max_len, d_model=case.d_model)
        module = case.module(impl, dropout=0.5).eval()
        first = module(x)
        with torch.no_grad():
            without_gradients = module(x)
        for other in others:
            with suppress(Exception):  # if a dtype does not work, another law says so
                case.module(impl).to(other.dtype)(other)
    with impl.observe(x) as seen_in_training:
        case.module(impl).train()(x)
        module.train()(x)
    named = ("x", *(f"x in {other.dtype}" for other in others))
    written = [named[i] for i in seen.changed_inputs]
    require(not written, f"forward(x) wrote into {', '.join(written)}.", x=before)
    require(not seen_in_training.changed_inputs, "forward(x) wrote into x in training mode.", x=before)
    changed = [*seen.changed_globals, *seen_in_training.changed_settings]
    require(not changed, "; ".join(changed) + ".")
    check_tensor(table, "the table", shape=(case.max_len, case.d_model))
    expected = check_tensor(first, "forward(x)", shape=case.shape).clone()
    require(bool((first - x).diff(dim=1).any()), "forward(x) adds nothing that depends on the position.")
    agree(without_gradients, expected, "forward(x) under torch.no_grad()", given={"x": before})
    check_every_side_effect(impl)

    kept = table.clone()
    with torch.no_grad(), suppress(RuntimeError):  # some tensors can't be written into
        table.zero_()  # a table is the caller's, too
    again = impl.sinusoidal_encoding(max_len=case.max_len, d_model=case.d_model)
    agree(again, kept, "the table, made again after the caller wrote into the first one")

    with torch.no_grad():
        first.zero_()  # the result is the caller's, who may overwrite it, and x too
        x.neg_()
    agree(module.eval()(x), case.module(impl).eval()(-before), "forward of new values in the same tensor x")
    agree(module(before), expected, "forward(x), called again", given={"x": before})
    for used, which in ((module, "a call"), (case.module(impl).eval(), "a first call")):
        with suppress(Exception):  # that x may have another dtype than the module, nobody promised
            used(before.to(torch.bfloat16))
        agree(used(before), expected, f"forward(x), called again after {which} in bfloat16,", given={"x": before})
    fresh = case.module(impl).eval()
    for length in (2, case.length, 1, case.max_len):
        part = replace(case, length=length).x()
        words = f"forward(x) of {length} tokens after calls with fewer and with more"
        agree(fresh(part), case.module(impl).eval()(part), words)


@pytest.mark.law(
    points=1,
    property="no parameter",
    title="The table is not a parameter",
    hint="how the table is kept: `register_buffer`, not `nn.Parameter` (not even one with requires_grad=False).",
)
@forall(case=sequence_cases, max_examples=2)
def test_the_table_is_no_parameter(impl: Implementation, case: SequenceCase) -> None:
    """The module has no parameters: an optimizer has nothing to change, and the table stays what it is."""
    module = case.module(impl).eval()
    found = [f"{name}, {'trained' if p.requires_grad else 'frozen'}" for name, p in module.named_parameters()]
    require(not found, f"the module should have no parameters, but it has {'; '.join(found)}.")
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


LEARNING = {
    "dropout": (0.0, 0.5),
    "training": (True, False),
    "dtype": (torch.float32, torch.float64, torch.float16),
    "batch": (3, 1),
    "more": (0, 110),
}
"""Circumstances in which x gets a gradient; `more` tokens than usual."""


@pytest.mark.law(
    points=1,
    property="gradient flow",
    title="The gradient reaches every token",
    hint="whether x is detached, the sum computed under torch.no_grad(), or anything written through `.data`.",
)
@forall(case=sequence_cases, max_examples=2)
def test_the_gradient_reaches_every_entry(impl: Implementation, case: SequenceCase) -> None:
    """Adding a table does not stand in the way of learning: the gradient of the result arrives at x, entry by entry,
    in both modes, except where dropout made the result 0."""
    sizes = replace(case, spare=120)
    for row in pairwise(LEARNING, case.seed):
        training, dtype = row["training"], row["dtype"]
        dropout = row["dropout"] if dtype.itemsize >= 4 else 0.0  # dropping in half precision is another law's matter
        case = replace(sizes, batch=row["batch"], length=sizes.length + row["more"])
        module, error = case.module(impl, dropout).train(training).to(dtype), 1e-1 if dtype.itemsize < 4 else 1e-3
        x = (case.x() + 9).contiguous().to(dtype).requires_grad_()  # no entry of the sum is near zero
        arriving = random_tensor(case.shape, case.seed + 1, dtype=dtype) + 0.0625  # never zero
        mode = f"in {'training' if training else 'evaluation'} mode with dropout {dropout}, in {dtype}, x {case.shape}"
        output = check_tensor(module(x), "forward(x)")
        if tuple(output.shape) != case.shape:
            continue  # another law says so
        require(output.requires_grad, f"no gradient reaches x {mode}: the graph was cut on the way.")
        output.backward(arriving)
        gradient = check_gradient(x.grad, "x", shape=case.shape)
        ratio = gradient / arriving
        what = f"gradient of x / gradient of the result, {mode}"
        twins = [case.module(impl).train(training).to(dtype) for _ in range(2)]
        expected = (twins[0](x + 1) - twins[1](x)).detach()  # what the result grows by with x
        if dropout and training:
            kept = expected / (1 - dropout)
            expected = torch.where((output == 0) | (ratio.abs() < kept.abs() / 2), 0.0, kept)
        agree(ratio, expected, what, atol=error, because="Expected is what the result grows by if x does, or 0.")


@pytest.mark.law(
    points=2,
    property="dropout",
    title="Dropout acts on the sum, in training mode only",
    hint="where the dropout stands: dropout(x + PE). nn.Dropout already looks at the mode, scales what it keeps, and "
    "stays in the dtype and on the device of its input. The default of dropout is 0.0.",
)
@forall(seed=seeds, max_examples=1)
def test_dropout_acts_on_the_sum_in_training_only(impl: Implementation, seed: int) -> None:
    """In training, about the given share of the entries of x + PE becomes 0, each by its own chance, and the others are
    divided by 1 - dropout, in the dtype and on the device of x; in evaluation, and by default, nothing is dropped; with
    dropout 1 nothing is kept."""
    shape = (8, 25, 20)
    x = random_tensor(shape, seed, dtype=torch.float32) + 9  # no entry of the sum is near zero
    modules = {
        probability: impl.PositionalEncoding(d_model=shape[2], max_len=shape[1] + 2, dropout=probability)
        for probability in (0.0, 0.1, 0.5, 0.75, 1.0)
    }
    plain = check_tensor(modules[0.0](x.clone()), "forward(x) with dropout 0", shape=shape, dtype=torch.float32).clone()
    require(bool((plain - x).diff(dim=1).any()), "forward(x) adds nothing that depends on the position.")
    by_default = impl.PositionalEncoding(d_model=shape[2], max_len=shape[1] + 2)
    agree(by_default(x.clone()), plain, "forward(x) in training mode with the default dropout, 0.0,")
    agree(modules[0.75].eval()(x.clone()), plain, "forward(x) in evaluation mode with dropout 0.75")

    impl.seed(seed)
    for probability in (0.1, 0.5, 0.75):
        module = modules[probability].train()
        what = f"forward(x) in training mode with dropout {probability}"
        output = check_tensor(module(x.clone()), what, shape=shape, dtype=torch.float32)
        check_dropped(output == 0, probability, output)
        kept = torch.where(output == 0, 0.0, plain / (1 - probability))
        agree(output, kept, what, atol=1e-3)
    again = module(x.clone())
    require(not torch.equal(again == 0, output == 0), "two calls in training mode dropped the same entries.")
    for part in (x[:1], x[:, :1].clone()):
        what = f"forward(x) in training mode with dropout 0.5, x of shape {tuple(part.shape)}, under torch.no_grad()"
        with torch.no_grad():
            output = check_tensor(modules[0.5](part), what, shape=part.shape)
        share = float((output == 0).to(torch.float32).mean())
        require(0.2 < share < 0.8, f"{what}: about half should be dropped, not {share:.0%}.", result=output)
    agree(modules[1.0].train()(x.clone()), torch.zeros_like(x), "forward(x) in training mode with dropout 1")
    check_dropout_stays(modules[0.5], x)
    check_without_dropout(modules[0.0], x)


@pytest.mark.law(
    points=1,
    property="errors",
    title="Too long a sequence is refused",
    hint="the comparison of T with max_len, before the addition: a table of one row would broadcast silently. "
    "And the default of max_len: 5000.",
)
@forall(max_len=st.integers(2, 5), d_model=st.sampled_from((2, 4)), max_examples=2)
def test_a_sequence_longer_than_the_table_is_refused(impl: Implementation, max_len: int, d_model: int) -> None:
    """A sequence of max_len tokens works and one of max_len + 1 raises ValueError, with max_len = 1 too, and with
    the default of 5,000."""
    modules = {size: impl.PositionalEncoding(d_model=d_model, max_len=size) for size in (1, max_len)}
    modules[5000] = impl.PositionalEncoding(d_model=d_model)
    for size, module in modules.items():
        output = module.train(size == max_len)(torch.zeros(1, size, d_model, dtype=torch.float32))
        check_tensor(output, f"forward of {size} tokens with max_len={size}", shape=(1, size, d_model))
        require(size == 1 or bool(output.any()), "forward(zeros) adds nothing.")
        for length, training, gradients in (
            (size + 1, False, False),
            (size + 1, True, True),
            (size + 3, True, False),
            (size + 3, False, True),
        ):
            module.train(training)
            too_long = torch.zeros(1 + gradients, length, d_model, dtype=torch.float32)
            mode = f"in {'training' if training else 'evaluation'} mode{'' if gradients else ' under torch.no_grad()'}"
            with torch.set_grad_enabled(gradients):
                must_raise_value_error(
                    lambda module=module, too_long=too_long: module(too_long),  # type: ignore[misc]
                    f"forward of {length} tokens with max_len={size}, {mode}",
                )
