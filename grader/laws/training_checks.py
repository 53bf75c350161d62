"""What several laws of training check in the same way, and how they set up what the student's code works on."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from grader.course import EOS, FIRST_CONTENT_ID, PAD, SOS
from grader.laws.batch_checks import drawn_batch
from grader.laws.compare import agree, broken, called, check_tensor, holds, in_its_own_sizes, kind_of, require
from grader.laws.errors import LawBroken
from grader.laws.interface import Implementation
from grader.laws.judge_transformer import JudgeTransformer
from grader.laws.loss_checks import ROUNDING, once_the_loss_is_right
from grader.laws.oracles import named_parameters
from grader.laws.oracles_training import (
    Batch,
    ReplayedStep,
    cooled_noam,
    cross_entropy,
    framed,
    noam,
    optimizer_for,
    replay,
    set_parameters,
    set_xavier,
    twin,
    update,
)
from grader.laws.pairwise import pairwise
from grader.laws.tensors import random_ids, random_tensor
from grader.laws.training_cases import BatchCase, RunCase, StepCase

IN_FLOAT32 = 1e-4
"""What rounding may do to a step of float32 with gradients of size 10, as `ROUNDING` in float64."""

LOUD = 4.0
"""Factor on a probe's last layer that brings the norm of its gradients above 1, a usual `clip`."""

STEP_USES = "train_step's loss should be that of your label_smoothing_loss, which is off itself: on this batch it"

COPY_TASK = {"length": 6, "vocab_size": 12}
HEADS, FRESH = 4, 256

Call = tuple[Tensor, Tensor, Tensor, str]
"""What a `RecordingSeq2Seq` remembers of a forward pass."""


def number(value: Any, what: str) -> float:
    """`value` is a plain number, as a loss to print or a learning rate to set must be."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        broken(f"{what} should be a plain number, but it is {kind_of(value)}.")
    require(math.isfinite(value), f"{what} should be finite, but it is {value}.")
    return float(value)


def subject(
    impl: Implementation,
    vocab: int,
    d_model: int,
    seed: int,
    *,
    loud: bool = False,
    spare: bool = False,
    dropout: float = 0.0,
) -> tuple[Any, nn.Module]:
    """A `RecordingSeq2Seq` to train beside the student's code, and the judge's twin of it."""
    sizes = (vocab, d_model, spare, dropout)
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


def set_gradients(model: Any, seed: int) -> None:
    """Gradients from elsewhere, which no training step must use."""
    for number_of, parameter in enumerate(model.parameters()):
        parameter.grad = random_tensor(parameter.shape, seed + number_of)


def same_parameters(model: nn.Module, own: nn.Module, because: str, *, atol: float = ROUNDING) -> None:
    """Each parameter of the trained model is what it is in the judge's twin."""
    expected = dict(own.named_parameters())
    for name, parameter in model.named_parameters():
        agree(parameter.detach(), expected[name].detach(), name, atol=atol, because=because)


_STEPS = {
    "optimizer": ("SGD", "Adam"),
    "pad_id": (0, 3, 6),
    "smoothing": (0.0, 0.2),
    "batch": (3, 1),
    "training": (True, False),
    "part": ("all learns", "src_embed is frozen", "a parameter is unused"),
}

_DECAYING: dict[str, dict[str, Any]] = {
    "SGD": {"lr": 0.25, "weight_decay": 0.1},
    "Adam": {"lr": 0.05, "eps": 1e-3, "weight_decay": 0.1},
}
"""Decay moves a parameter whose gradient is zero, not one that has none. The eps hides what rounding leaves."""


@in_its_own_sizes
def check_every_step(impl: Implementation, seed: int, clips: Sequence[float | None]) -> None:
    """A step is the optimizer's on this loss, whatever the circumstances, and changes nothing else.

    Where it is off without clipping already, or the loss that it returns is another one, other laws say so.
    """
    for row in pairwise({**_STEPS, "clip": clips}, seed):
        if row["clip"] is None or holds(check_step, impl, {**row, "clip": None}, seed):
            check_step(impl, row, seed)


def check_step(impl: Implementation, row: Mapping[str, Any], seed: int) -> None:
    """One step in one row of the table."""
    names = ("optimizer", "pad_id", "smoothing")
    case = StepCase(row["batch"], 2, 4, 7, 5, seed, **{name: row[name] for name in names})
    model, own = subject(impl, case.vocab, case.d_model, seed, loud=True, spare="unused" in row["part"])
    for each in (model, own) if "frozen" in row["part"] else ():
        dict(each.named_parameters())["src_embed.weight"].requires_grad_(False)
    src, tgt_in, tgt_out = case.draw(padded=True)
    logits = own(src, tgt_in).detach()
    optimizer = impl.optimizer(model.train(row["training"]), case.optimizer, **_DECAYING[case.optimizer])
    here = f"{case.optimizer}, {_DECAYING[case.optimizer]}, pad_id {case.pad_id}, smoothing {case.smoothing}, clip"
    mode = "train" if row["training"] else "eval"
    here = f"{here} {row['clip']}, batch {case.batch}, a model in {mode} mode; {row['part']}"
    with impl.observe() as seen, called(f"with {here}"):
        given = [ids.clone() for ids in (src, tgt_in, tgt_out)]
        result = impl.train_step(model, optimizer, *given, clip=row["clip"], **case.loss_options)
    words = f"A step with {here}."
    require(not seen.changed_globals, f"after train_step, {'; '.join(seen.changed_globals)}. {words}")
    expected = float(cross_entropy(logits, tgt_out, case.pad_id, case.smoothing))
    if math.isclose(number(result, "the result of train_step"), expected, rel_tol=ROUNDING):
        rule = optimizer_for(own, case.optimizer, **_DECAYING[case.optimizer])
        update(own, rule, (src, tgt_in, tgt_out), clip=row["clip"], **case.loss_options)
        same_parameters(model, own, words, atol=IN_FLOAT32)


def losses_of(result: Any, steps: int) -> list[float]:
    """What `train_copy_task` returned: a plain number for each step."""
    if not isinstance(result, (list, tuple)) or len(result) != steps:
        words = f"train_copy_task should return a list of {steps} losses, but it returned {kind_of(result)}"
        longer = isinstance(result, (list, tuple)) and len(result) > steps
        broken(f"{words}{': are those of an earlier run among them?' if longer else '.'}")
    return [number(loss, f"loss {step} of the run") for step, loss in enumerate(result, start=1)]


def train(
    impl: Implementation, case: RunCase, model: Any, *, by_default: bool = False
) -> tuple[list[float], Sequence[Call]]:
    """A run on a `RecordingSeq2Seq`, called once in each step: the losses, and what it was called with.

    `by_default` hands over `steps` only; the case then holds the defaults.
    """
    arguments = {"steps": case.steps} if by_default else case.arguments
    losses = losses_of(impl.train_copy_task(model, **arguments), case.steps)
    calls: Sequence[Call] = model.calls()
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


def seeded_with(impl: Implementation, case: RunCase, calls: Sequence[Call]) -> None:
    """The sources of a run are what the student's `copy_batch` draws from one generator with the seed."""
    if impl.device != "cpu":  # there the batches may come from a generator of that device
        return
    sizes = BatchCase(case.batch, case.length, case.vocab_size, case.seed)
    source, another = (impl.generator(case.seed) for _ in range(2))
    first, again = (drawn_batch(impl, sizes, each)[0] for each in (source, another))
    if not torch.equal(first, again):  # then another law says so
        return
    for step, (src, _, _, _) in enumerate(calls, start=1):
        drawn = first if step == 1 else drawn_batch(impl, sizes, source)[0]
        call = f"copy_batch({case.batch}, {case.length}, {case.vocab_size}, generator), call {step} since"
        because = f"It should be that of {call} generator.manual_seed({case.seed})."
        agree(src, drawn, f"src of step {step}", because=because)


def follows_the_schedule(
    impl: Implementation, case: RunCase, model: Any, own: nn.Module, *, by_default: bool = False
) -> None:
    """A run from the model's present parameters is what the judge makes of its batches, step by step.

    The model comes in eval mode, as after an evaluation, and with gradients from elsewhere.
    """
    start = nn.utils.parameters_to_vector(model.parameters()).detach().clone()
    set_gradients(model.train(False), case.seed)
    with called("on a model that comes in eval mode, has gradients, and a parameter that no forward pass uses"):
        losses, calls = train(impl, case, model, by_default=by_default)
    words = "the first step did not begin with the parameters that the model had: training goes on from what is there."
    require(torch.equal(calls[0][2], start), words)
    if by_default:  # whether the batches after them are fresh, another law says
        seeded_with(impl, case, calls[:2])
    snapshots = [*(call[2] for call in calls), nn.utils.parameters_to_vector(model.parameters()).detach()]
    batches = [(src, tgt_in, framed(src)[2]) for src, tgt_in, _, _ in calls]
    steps = replay(own, batches, snapshots, smoothing=case.smoothing, clip=case.clip)
    nn.utils.vector_to_parameters(snapshots[0].clone(), own.parameters())
    src, tgt_in, tgt_out = batches[0]
    clip = "no clip" if case.clip is None else f"clip {case.clip:.4g}"
    run = f"In a run of {case.steps} steps with smoothing {case.smoothing} and {clip}"
    run = f"{run}, all of them defaults but the steps," if by_default else f"{run},"
    with once_the_loss_is_right(impl, STEP_USES, own(src, tgt_in), tgt_out, PAD, case.smoothing):
        for number_of, (step, loss, (_, _, _, in_eval)) in enumerate(zip(steps, losses, calls, strict=True), start=1):
            which = f"{run} step {number_of}"
            require(not in_eval, f"{which} was made with {in_eval} in eval mode: each step has to be in train mode.")
            with once_the_step_is_right(impl, case):
                is_adams(case, which, step, loss)
    cooled(case, run, torch.tensor([step.rate for step in steps], dtype=torch.float64))


@contextmanager
def once_the_step_is_right(impl: Implementation, case: RunCase) -> Iterator[None]:
    """If what is checked inside fails and so does a step of the student's `train_step`, then say that first."""
    try:
        yield
    except LawBroken:
        row = {name: values[0] for name, values in _STEPS.items()} | {"optimizer": "Adam", "clip": case.clip}
        words = "A run's steps should be those of your train_step, which is off itself. Mend it first, with the help"
        require(holds(check_step, impl, row, case.seed), f"{words} of its own laws; this one comes after.")
        raise


def is_adams(case: RunCase, which: str, step: ReplayedStep, loss: float) -> None:
    """A step of a run has the direction of Adam's, and `loss` was the loss before it."""
    words = f"{which}: its loss should be {step.loss:.9g}, but {loss:.9g} was returned."
    require(math.isclose(loss, step.loss, rel_tol=ROUNDING), words)
    kind = "clipped gradient" if case.clip is not None else "gradient as it is"
    words = f"{which} is not one of Adam on the {kind}, betas (0.9, 0.98), eps 1e-9:"
    require(step.stray <= 1e-4, f"{words} {100 * step.stray:.3g} % of it points elsewhere.")


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
    judge = JudgeTransformer.from_student(named_parameters(model), num_heads=HEADS, pad_id=PAD)
    shape = (FRESH, COPY_TASK["length"])
    src = random_ids(shape, seed + 1, low=FIRST_CONTENT_ID, high=COPY_TASK["vocab_size"])
    expected = torch.cat([framed(src)[1], torch.full((FRESH, 1), EOS)], dim=1)  # (N, L + 2)
    written = judge.greedy(src, expected.size(1), SOS, EOS)
    missing = expected.size(1) - written.size(1)
    return expected, nn.functional.pad(written, (0, missing), value=PAD)
