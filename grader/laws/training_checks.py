"""What several laws of exercise 5 check in the same way, and how they set up what the student's code works
on."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from grader.course import EOS, FIRST_CONTENT_ID, PAD, SOS
from grader.laws.compare import agree, broken, check_tensor, kind_of, require
from grader.laws.errors import LawBroken
from grader.laws.interface import Implementation
from grader.laws.judge_transformer import JudgeTransformer
from grader.laws.oracles_training import (
    Batch,
    ReplayedStep,
    cooled_noam,
    cross_entropy,
    framed,
    noam,
    replay,
    set_parameters,
    set_xavier,
    twin,
)
from grader.laws.tensors import random_ids, random_tensor
from grader.laws.training_cases import BatchCase, LossCase, RunCase, StepCase

ROUNDING = 2e-6
"""What rounding leaves on probes and losses of size 1, even if the loss was computed in float32 on the
way."""

IN_FLOAT32 = 1e-4
"""The same for a step with gradients of size 10."""

LOUD = 4.0
"""Factor on a probe's last layer that brings the norm of its gradients above 1, a usual `clip`."""

COPY_TASK = {"length": 6, "vocab_size": 12}
HEADS, FRESH = 4, 256

Call = tuple[Tensor, Tensor, Tensor, str]
"""What a `RecordingSeq2Seq` remembers of a forward pass."""

KINDS_OF_GRADIENT = {
    "one NaN": "nan",
    "NaN everywhere": "nan",
    "one infinity": "nan",
    "one minus infinity": "nan",
    "all zero": "zero",
    "entries that cancel": "ok",
    "one entry that is not zero": "ok",
    "one tiny entry": "ok",
    "large entries": "ok",
}
"""Gradients that `gradient_like` makes, and what `gradient_report` should call them."""


def number(value: Any, what: str) -> float:
    """`value` is a plain number, as a loss to print or a learning rate to set must be."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        broken(f"{what} should be a plain number, but it is {kind_of(value)}.")
    require(math.isfinite(value), f"{what} should be finite, but it is {value}.")
    return float(value)


def drawn_batch(impl: Implementation, case: BatchCase, source: Any) -> tuple[Tensor, Any, Any]:
    """A batch from the student's `copy_batch`, of which only `src` is looked at here: int64, (B, L)."""
    batch, length, vocab_size = case.sizes
    result = impl.copy_batch(batch=batch, length=length, vocab_size=vocab_size, generator=source)
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        broken(f"copy_batch should return (src, tgt_in, tgt_out), but it returned {kind_of(result)}.")
    src, tgt_in, tgt_out = result
    check_tensor(src, "src", shape=(batch, length), dtype=torch.int64)
    return src, tgt_in, tgt_out


def framed_rightly(src: Tensor, tgt_in: Any, tgt_out: Any) -> None:
    """`tgt_in` is SOS and the source, `tgt_out` is the source and EOS."""
    shape = (src.size(0), src.size(1) + 1)
    for name, ids in (("tgt_in", tgt_in), ("tgt_out", tgt_out)):
        check_tensor(ids, f"{name}, one longer than src,", shape=shape, dtype=torch.int64)
    _, expected_in, expected_out = framed(src)
    rules = (
        ("tgt_in", tgt_in, expected_in, f"SOS = {SOS} and then the source"),
        ("tgt_out", tgt_out, expected_out, f"the source and then EOS = {EOS}"),
    )
    for name, ids, expected, rule in rules:
        for row, column in (ids != expected).nonzero().tolist():
            should = f"{name} should be {rule}: {name}[{row}, {column}] should be {expected[row, column]}"
            broken(
                f"{should}, but it is {ids[row, column]}.",
                **{f"src[{row}]": src[row : row + 1], f"{name}[{row}]": ids[row : row + 1]},
            )


def in_range(src: Tensor, vocab_size: int) -> None:
    """The ids of `src` are content."""
    for row, column in ((src < FIRST_CONTENT_ID) | (src >= vocab_size)).nonzero().tolist():
        words = f"content ids run from {FIRST_CONTENT_ID} to vocab_size - 1 = {vocab_size - 1}"
        broken(f"src[{row}, {column}] is {src[row, column]}, but {words}.", **{f"src[{row}]": src[row : row + 1]})


def uniform(src: Tensor, vocab_size: int) -> None:
    """In each column every content id is as frequent as any other, and columns do not repeat each other."""
    in_range(src, vocab_size)
    ids = torch.arange(FIRST_CONTENT_ID, vocab_size)
    batch, share = src.size(0), 1 / len(ids)
    even = share * src.numel()
    for which in ids.tolist():
        count = int((src == which).sum())
        words = f"id {which} stands {count} times in {src.numel()} places (vocab_size {vocab_size})"
        require(abs(count - even) < 7 * math.sqrt(even * (1 - share)), f"{words}: about {even:.0f} would be even.")
    margin = 7 * math.sqrt(share * (1 - share) / batch)
    shares = (src.unsqueeze(-1) == ids).double().mean(dim=0)  # (L, ids)
    for column, which in ((shares - share).abs() > margin).nonzero().tolist():
        words = f"id {ids[which]} stands {shares[column, which] * batch:.0f} times in column {column}"
        broken(f"{words} of {batch} sources (vocab_size {vocab_size}): about {share * batch:.0f} would be even.")
    equal = (src.unsqueeze(2) == src.unsqueeze(1)).double().mean(dim=0)  # (L, L)
    for first, second in ((equal - share).abs() > margin).triu(diagonal=1).nonzero().tolist():
        words = f"columns {first} and {second} of src agree in {equal[first, second]:.0%} of the rows"
        broken(f"{words}, not in about {share:.0%} as independent draws do.", **{"src, its first rows": src[:4]})


def rows_differ(src: Tensor) -> None:
    """No two rows are equal, which for rows this long cannot happen by chance."""
    seen: dict[tuple[int, ...], int] = {}
    for row, ids in enumerate(src.tolist()):
        earlier = seen.setdefault(tuple(ids), row)
        if earlier != row:
            words = f"rows {earlier} and {row} of a batch of {len(src)} are equal: each needs draws of its own."
            broken(words, **{f"src[{earlier}] and src[{row}]": src[[earlier, row]]})


def loss_of(impl: Implementation, case: LossCase, logits: Tensor, target: Tensor) -> Any:
    """The student's loss."""
    return impl.label_smoothing_loss(logits, target, pad_id=case.pad_id, smoothing=case.smoothing)


def scalar(loss: Any, what: str) -> Tensor:
    """A loss, whatever its precision (one law is about that), as float64."""
    return check_tensor(loss, what, shape=()).to(torch.float64)


def loss_agrees(
    impl: Implementation, case: LossCase, target: Tensor, because: str = "", *, by_default: bool = False
) -> None:
    """The student's loss and its gradient are those of `F.cross_entropy`; `by_default` without its options."""
    mine, yours = (case.logits().requires_grad_() for _ in range(2))
    expected = cross_entropy(mine, target, case.pad_id, case.smoothing)
    given = {"logits": mine, "target": target}
    options = {} if by_default else {"pad_id": case.pad_id, "smoothing": case.smoothing}
    actual = scalar(impl.label_smoothing_loss(yours, target.clone(), **options), "the loss")
    agree(actual, expected, "the loss", atol=ROUNDING, given=given, because=because)
    require(actual.requires_grad, "no gradient reaches the logits: the graph was cut on the way.")
    (wanted,) = torch.autograd.grad(expected, mine)
    (gradient,) = torch.autograd.grad(actual, yours)
    agree(gradient, wanted, "the gradient of the logits", atol=ROUNDING, given=given, because=because)


def fault_of_loss(impl: Implementation, logits: Tensor, target: Tensor, pad_id: int, smoothing: float) -> str:
    """What the student's loss gives here instead of the right value; nothing if it is right."""
    logits = logits.detach()
    expected = float(cross_entropy(logits, target, pad_id, smoothing))
    actual = impl.label_smoothing_loss(logits, target, pad_id=pad_id, smoothing=smoothing)
    value = float(actual) if isinstance(actual, Tensor) and actual.numel() == 1 else math.nan
    if math.isclose(value, expected, rel_tol=ROUNDING, abs_tol=ROUNDING):
        return ""
    return f"gives {value:.6g} and not {expected:.6g} (pad_id {pad_id}, smoothing {smoothing:g})"


@contextmanager
def once_the_loss_is_right(
    impl: Implementation, who: str, logits: Tensor, target: Tensor, pad_id: int = PAD, smoothing: float = 0.0
) -> Iterator[None]:
    """If what is checked inside fails and so does the student's own loss on this batch, then say that first."""
    try:
        yield
    except LawBroken:
        fault = fault_of_loss(impl, logits, target, pad_id, smoothing)
        if fault:
            broken(f"{who} {fault}. Mend label_smoothing_loss first: its own laws say how. This law comes after it.")
        raise


STEP_USES = "train_step's loss should be that of your label_smoothing_loss, which is off itself: on this batch it"
PADDING_ASIDE = "The loss is off without any padding, too: for these logits and targets without padding it"


def subject(
    impl: Implementation, vocab: int, d_model: int, seed: int, *, loud: bool = False, spare: bool = False
) -> tuple[Any, nn.Module]:
    """A `RecordingSeq2Seq` to train beside the student's code, and the judge's twin of it."""
    sizes = (vocab, d_model, spare)
    model = impl.probe("RecordingSeq2Seq", *sizes).to(torch.float64)
    set_parameters(model, seed)
    if loud:
        with torch.no_grad():
            dict(model.named_parameters())["out_proj.weight"].mul_(LOUD)
    return model, twin(model, "RecordingSeq2Seq", *sizes)


def is_the_loss(result: Any, logits: Tensor, tgt_out: Tensor, case: StepCase, called_with: str) -> None:
    """`train_step` returned the loss of these logits; if not, say which usual mistake gives what it returned."""
    loss = number(result, "the result of train_step")
    expected = float(cross_entropy(logits, tgt_out, case.pad_id, case.smoothing))
    others = {
        "if smoothing is ignored": float(cross_entropy(logits, tgt_out, case.pad_id, 0.0)),
        "if padding is id 0 always": float(cross_entropy(logits, tgt_out, PAD, case.smoothing)),
    }
    same = [f" ({name} it is)" for name, other in others.items() if math.isclose(loss, other, rel_tol=ROUNDING)]
    words = f"train_step, called with {called_with}, should return the loss {expected:.6g}, but it returned"
    require(math.isclose(loss, expected, rel_tol=ROUNDING), f"{words} {loss:.6g}{''.join(same)}.")


def take_parameters(own: nn.Module, model: nn.Module) -> Tensor:
    """Give the judge's twin the parameters that the model has now; they, as one vector."""
    vector = nn.utils.parameters_to_vector(model.parameters()).detach().clone()
    nn.utils.vector_to_parameters(vector.clone(), own.parameters())
    return vector


def only_call(model: Any, batch: int) -> Call:
    """The forward pass of the last step, which had the whole batch."""
    calls = model.calls()
    require(bool(calls), "train_step did not call the model with gradients on.")
    rows = len(calls[0][0])
    words = f"train_step gave the model {rows} of the batch's {batch} rows: it should call it once, with all of them."
    require(rows == batch, words)
    call: Call = calls[0]
    return call


def as_fed(model: Any, tgt_out: Tensor) -> Batch:
    """The batch of the last step as it reached the model: what it was fed is one law's matter, what follows
    from it another's."""
    src, tgt_in, _, _ = only_call(model, len(tgt_out))
    return src, tgt_in, tgt_out


def same_parameters(model: nn.Module, own: nn.Module, because: str, *, atol: float = ROUNDING) -> None:
    """Each parameter of the trained model is what it is in the judge's twin."""
    expected = dict(own.named_parameters())
    for name, parameter in model.named_parameters():
        agree(parameter.detach(), expected[name].detach(), name, atol=atol, because=because)


def report_of(impl: Implementation, model: nn.Module) -> dict[str, str]:
    """The student's gradient report, which names every parameter and nothing else."""
    report = impl.gradient_report(model)
    if not isinstance(report, dict):
        broken(f"gradient_report should return a dict, but it returned {kind_of(report)}.")
    names = {name for name, _ in model.named_parameters()}
    require(names <= set(report), f"the report leaves out {sorted(names - set(report))}.")
    require(set(report) <= names, f"the report has {sorted(set(report) - names)}, but no parameter is called so.")
    return report


def says(report: dict[str, str], name: str, expected: str, gradient: Tensor | None) -> None:
    """The report has the right word for one parameter."""
    shown = {} if gradient is None else {f"gradient of {name}": gradient.reshape(1, -1)}
    words = f'the gradient of {name} should be called "{expected}", but the report says {report[name]!r}.'
    require(report[name] == expected, words, **shown)


def all_judged_rightly(wrong: Sequence[tuple[str, str, str, Tensor]]) -> None:
    """No gradient is in `wrong`, as its kind (of `KINDS_OF_GRADIENT`), parameter, word in the report, and value."""
    for kind, name, word, gradient in wrong:
        kinds, names = (", ".join(dict.fromkeys(values)) for values in list(zip(*wrong, strict=True))[:2])
        words = f'should be called "{KINDS_OF_GRADIENT[kind]}", but the report says {word!r}'
        everywhere = f"So it is for gradients with {kinds}, in {names}."
        broken(f"the gradient of {name} {words}. {everywhere}", **{f"gradient of {name}": gradient.reshape(1, -1)})


def gradient_like(parameter: Tensor, kind: str, seed: int) -> Tensor:
    """A gradient of one of `KINDS_OF_GRADIENT`; entries that cancel need two of them."""
    gradient = random_tensor(parameter.shape, seed, dtype=torch.float32)
    flat, place = gradient.view(-1), seed % parameter.numel()
    if kind in ("all zero", "one entry that is not zero", "one tiny entry", "entries that cancel"):
        flat.zero_()
    if kind == "entries that cancel":
        flat[place], flat[place - 1] = 0.5, -0.5
    elif kind == "large entries":
        flat.fill_(3e38)
    elif kind == "NaN everywhere":
        flat.fill_(math.nan)
    elif kind != "all zero":
        single = {
            "one tiny entry": 1e-12,
            "one NaN": math.nan,
            "one infinity": math.inf,
            "one minus infinity": -math.inf,
        }
        flat[place] = single.get(kind, -0.125)
    return gradient


def losses_of(result: Any, steps: int) -> list[float]:
    """What `train_copy_task` returned: a plain number for each step."""
    if not isinstance(result, (list, tuple)) or len(result) != steps:
        broken(f"train_copy_task should return a list of {steps} losses, but it returned {kind_of(result)}.")
    return [number(loss, f"loss {step} of the run") for step, loss in enumerate(result, start=1)]


def train(
    impl: Implementation, case: RunCase, model: Any, *, by_default: bool = False
) -> tuple[list[float], Sequence[Call]]:
    """A run on a `RecordingSeq2Seq`, called once in each step: the losses, and what it was called with.

    `by_default` hands over `steps` only; the case then holds the defaults.
    """
    arguments = {"steps": case.steps} if by_default else case.arguments
    losses = losses_of(impl.train_copy_task(model, **arguments), case.steps)
    calls = model.calls()
    words = f"in {case.steps} steps the model was called {len(calls)} times with gradients on."
    require(len(calls) == case.steps, words)
    for step, (src, tgt_in, _, _) in enumerate(calls, start=1):
        check_tensor(src, f"src of step {step}", shape=(case.batch, case.length), dtype=torch.int64)
        check_tensor(
            tgt_in, f"tgt_in of step {step} (SOS and src)", shape=(case.batch, case.length + 1), dtype=torch.int64
        )
    return losses, calls


def all_fresh(calls: Sequence[Call]) -> None:
    """No two steps had the same sources, which for so many ids cannot happen by chance."""
    steps_of: dict[bytes, list[int]] = {}
    for step, (src, _, _, _) in enumerate(calls, start=1):
        steps_of.setdefault(src.numpy().tobytes(), []).append(step)
    for first, second, *_ in (steps for steps in steps_of.values() if len(steps) > 1):
        words = f"in a run of {len(calls)} steps, steps {first} and {second} trained on the same batch"
        different = f"{len(steps_of)} different batch{'es' * (len(steps_of) > 1)} in all"
        broken(f"{words} ({different}).", src=calls[first - 1][0][:4])


def seeded_with(impl: Implementation, case: RunCase, src: Tensor) -> None:
    """`src`, the first of a run, is what the student's `copy_batch` draws from a generator with the seed."""
    sizes = BatchCase(case.batch, case.length, case.vocab_size, case.seed)
    drawn, again = (drawn_batch(impl, sizes, impl.generator(case.seed))[0] for _ in range(2))
    if torch.equal(drawn, again):  # if not, another law says so
        call = f"copy_batch({case.batch}, {case.length}, {case.vocab_size}, torch.Generator().manual_seed({case.seed}))"
        agree(src, drawn, f"src of step 1, which should be that of {call}")


def follows_the_schedule(
    impl: Implementation, case: RunCase, model: Any, own: nn.Module, *, by_default: bool = False
) -> None:
    """A run from the model's present parameters is what the judge makes of its batches, step by step."""
    losses, calls = train(impl, case, model, by_default=by_default)
    all_fresh(calls)
    snapshots = [*(call[2] for call in calls), nn.utils.parameters_to_vector(model.parameters()).detach()]
    batches = [(src, tgt_in, framed(src)[2]) for src, tgt_in, _, _ in calls]
    steps = replay(own, batches, snapshots, smoothing=case.smoothing, clip=case.clip)
    nn.utils.vector_to_parameters(snapshots[0].clone(), own.parameters())
    src, tgt_in, tgt_out = batches[0]
    run = f"In a run of {case.steps} steps with smoothing {case.smoothing} and clip {case.clip}"
    run = f"{run}, all of them defaults but the steps," if by_default else f"{run},"
    with once_the_loss_is_right(impl, STEP_USES, own(src, tgt_in), tgt_out, PAD, case.smoothing):
        for number_of, (step, loss) in enumerate(zip(steps, losses, strict=True), start=1):
            is_adams(case, f"{run} step {number_of}", step, loss)
    cooled(case, run, torch.tensor([step.rate for step in steps], dtype=torch.float64))


def is_adams(case: RunCase, which: str, step: ReplayedStep, loss: float) -> None:
    """A step of a run has the direction of Adam's, and `loss` was the loss before it."""
    words = f"{which}: its loss should be {step.loss:.6g}, but {loss:.6g} was returned."
    require(math.isclose(loss, step.loss, rel_tol=ROUNDING), words)
    kind = "clipped gradient" if case.clip is not None else "gradient as it is"
    words = f"{which} is not one of Adam on the {kind}, betas (0.9, 0.98), eps 1e-9:"
    require(step.stray <= 1e-4, f"{words} {step.stray:.2%} of it has another direction.")


def cooled(case: RunCase, run: str, rates: Tensor) -> None:
    """The learning rates of a run's steps, (steps,), are the cooled ones."""
    numbers = range(1, case.steps + 1)
    expected = torch.tensor([cooled_noam(s, case.steps, case.d_model, case.warmup) for s in numbers]).double()
    off = [s for s in numbers if not math.isclose(rates[s - 1], expected[s - 1], rel_tol=1e-4)]
    for s in off:
        plain, cooling = noam(s, case.d_model, case.warmup), f"{case.steps - s + 1}/{case.steps}"
        should = f"{plain:.5g} * {cooling} = {expected[s - 1]:.5g} (warmup {case.warmup})"
        words = f"{run} the learning rate of step {s} should be {should}, but it was {rates[s - 1]:.5g}."
        words = f"{words} Of {case.steps} rates, {len(off)} are off."
        broken(words, **{"rates that should be": expected, "your rates": rates})


def transformer(impl: Implementation, seed: int) -> Any:
    """The student's Transformer for the copy task, with parameters drawn by the judge."""
    vocab = COPY_TASK["vocab_size"]
    model = impl.earlier.Transformer(
        src_vocab=vocab,
        tgt_vocab=vocab,
        d_model=32,
        num_heads=HEADS,
        num_encoder_layers=1,
        num_decoder_layers=1,
        d_ff=64,
        max_len=COPY_TASK["length"] + 2,
        dropout=0.0,
        pad_id=PAD,
    )
    set_xavier(model, seed)
    return model


def copies(model: nn.Module, seed: int) -> tuple[Tensor, Tensor]:
    """For fresh sources, SOS + source + EOS, and what the judge's own decoding writes with the model's
    parameters."""
    judge = JudgeTransformer.from_student(dict(model.named_parameters()), num_heads=HEADS, pad_id=PAD)
    shape = (FRESH, COPY_TASK["length"])
    src = random_ids(shape, seed + 1, low=FIRST_CONTENT_ID, high=COPY_TASK["vocab_size"])
    expected = torch.cat([framed(src)[1], torch.full((FRESH, 1), EOS)], dim=1)  # (N, L + 2)
    written = judge.greedy(src, expected.size(1), SOS, EOS)
    missing = expected.size(1) - written.size(1)
    return expected, nn.functional.pad(written, (0, missing), value=PAD)
