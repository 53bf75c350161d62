"""The laws of exercise 5: data, learning rate, loss, one step, the gradient report, and learning to copy.

Steps and runs are tried on small known models (`grader.laws.probes`), so that a fault in exercise 4 costs
nothing here; only the last law trains the student's own Transformer.
"""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import strategies as st
from torch import nn

from grader.course import FIRST_CONTENT_ID, PAD
from grader.laws.compare import agree, check_tensor, require
from grader.laws.forall import forall
from grader.laws.interface import Implementation
from grader.laws.oracles_training import (
    cross_entropy,
    framed,
    gradient_norm,
    noam,
    optimizer_for,
    replay,
    update,
)
from grader.laws.tensors import random_tensor, seeds
from grader.laws.training_cases import (
    BatchCase,
    LossCase,
    RunCase,
    StepCase,
    batch_cases,
    loss_cases,
    run_cases,
    step_cases,
)
from grader.laws.training_checks import (
    COPY_TASK,
    KINDS_OF_GRADIENT,
    ROUNDING,
    as_fed,
    as_scheduled,
    copies,
    drawn_batch,
    fed_batch,
    gradient_like,
    loss_agrees,
    loss_of,
    number,
    report_of,
    same_parameters,
    says,
    scalar,
    smooths,
    subject,
    train,
    transformer,
)

TINY_CLIP = 1e-7
"""Brings gradients down to where Adam's eps matters."""
CLIPPED = 1e-5
"""Some divide by the norm and some, like torch, by the norm + 1e-6."""


# copy_batch


@pytest.mark.law(
    points=1,
    property="copy data",
    title="tgt_in is SOS and the source, tgt_out is the source and EOS",
    hint="which column goes where: SOS in front of tgt_in, EOS at the end of tgt_out, all of src in both.",
)
@forall(max_examples=6, case=batch_cases)
def test_copy_batch_shifts_the_target_by_one(impl: Implementation, case: BatchCase) -> None:
    """At each place the decoder reads the token before the one it must say: tgt_in = [SOS] + src and
    tgt_out = src + [EOS]."""
    src, tgt_in, tgt_out = drawn_batch(impl, case, impl.generator(case.seed))
    _, expected_in, expected_out = framed(src)
    agree(tgt_in, expected_in, "tgt_in", given={"src": src})
    agree(tgt_out, expected_out, "tgt_out", given={"src": src})


@pytest.mark.law(
    points=1,
    property="copy data",
    title="Content is uniform, and drawn anew for each place of each row",
    hint="the range of torch.randint, whose upper end is exclusive; one draw for each place of each row.",
)
@forall(max_examples=2, case=st.builds(BatchCase, st.just(900), st.just(4), st.just(8), seeds))
def test_copy_batch_content_is_uniform(impl: Implementation, case: BatchCase) -> None:
    """In a large batch each content id is as frequent as any other in every column, and neither rows nor
    columns repeat each other."""
    src, _, _ = drawn_batch(impl, case, impl.generator(case.seed))
    in_range = (src >= FIRST_CONTENT_ID) & (src < case.vocab_size)
    words = f"src should hold ids from {FIRST_CONTENT_ID} to vocab_size - 1 = {case.vocab_size - 1} only."
    require(bool(in_range.all()), words, src=src)
    ids = torch.arange(FIRST_CONTENT_ID, case.vocab_size)
    expected = case.batch / len(ids)
    margin = 7 * math.sqrt(expected * (1 - 1 / len(ids)))
    counts = (src.unsqueeze(-1) == ids).sum(dim=0)  # (L, ids)
    words = f"each id should stand about {expected:.0f} times in each column of {case.batch} sources."
    fits = (counts - expected).abs() <= margin
    require(bool(fits.all()), f"{words} Rows below: columns of src.", **{f"counts of ids {ids.tolist()}": counts})
    for name, first, second in (("row", src[:-1], src[1:]), ("column", src[:, :-1], src[:, 1:])):
        equal, share = (first == second).to(torch.float64).mean(), 1 / len(ids)
        alike = abs(float(equal) - share) <= 7 * math.sqrt(share * (1 - share) / first.numel())
        words = f"{equal:.0%} of the entries equal their neighbour in the next {name}, not about {share:.0%}."
        require(alike, words, src=src)
    single, _, _ = drawn_batch(impl, replace(case, batch=2, vocab_size=4), impl.generator(case.seed))
    agree(single, torch.full_like(single, FIRST_CONTENT_ID), "src with vocab_size=4")


@pytest.mark.law(
    points=1,
    property="randomness",
    title="All randomness comes from the generator",
    hint="hand `generator` to every random call and seed nothing; with None, each call must still draw anew.",
)
@forall(max_examples=4, case=st.builds(BatchCase, st.integers(4, 6), st.integers(5, 7), st.just(12), seeds))
def test_copy_batch_draws_from_the_generator_only(impl: Implementation, case: BatchCase) -> None:
    """The same generator state gives the same batch whatever the global seed, the next call gives another
    batch, and the global generators stay as they were."""
    source = impl.generator(case.seed)
    impl.seed(case.seed + 1)
    with impl.observe() as seen:
        first, _, _ = drawn_batch(impl, case, source)
        second, _, _ = drawn_batch(impl, case, source)
    require(not seen.changed_globals, f"copy_batch changed something global: {'; '.join(seen.changed_globals)}.")
    impl.seed(case.seed + 2)
    again, _, _ = drawn_batch(impl, case, impl.generator(case.seed))
    other, _, _ = drawn_batch(impl, case, impl.generator(case.seed + 1))
    agree(again, first, "src from an equally seeded generator", because="It must depend on the generator alone.")
    require(
        not torch.equal(first, second),
        "the next call with the same generator drew the same batch.",
        src=second,
    )
    require(not torch.equal(first, other), "a generator with another seed gave the same batch.", src=other)
    unseeded = [drawn_batch(impl, case, None)[0] for _ in range(2)]
    require(not torch.equal(*unseeded), "two calls with generator=None drew the same batch.", src=unseeded[0])


# noam_lr


@pytest.mark.law(
    points=1,
    property="learning rate",
    title="The learning rate follows the paper's formula",
    hint="the signs of the exponents, min and not max, and step 0, which counts as step 1.",
)
@forall(
    max_examples=8,
    d_model=st.sampled_from((8, 30, 512)),
    warmup=st.sampled_from((4, 40, 4000)),
)
def test_noam_lr_follows_the_formula(impl: Implementation, d_model: int, warmup: int) -> None:
    """noam_lr = d_model^-0.5 * min(step^-0.5, step * warmup^-1.5): it rises up to step = warmup, then
    falls; step 0 counts as 1."""
    for step in (1, 2, warmup - 1, warmup, warmup + 1, 4 * warmup, 0):
        call = f"noam_lr(step={step}, d_model={d_model}, warmup={warmup})"
        rate = number(impl.noam_lr(step=step, d_model=d_model, warmup=warmup), call)
        expected = noam(step, d_model, warmup)
        part = "step 0 counts as 1" if step == 0 else "while it rises" if step <= warmup else "while it falls"
        words = f"{call} should be {expected:.6g} ({part}), but it is {rate:.6g}."
        require(math.isclose(rate, expected, rel_tol=1e-6), words)


# label_smoothing_loss


@pytest.mark.law(
    points=1,
    property="cross-entropy",
    title="Without smoothing, the loss is cross-entropy",
    hint="log_softmax once, over the last axis, then the target's entry; reshape does not swap axes.",
)
@forall(max_examples=6, case=loss_cases())
def test_loss_is_cross_entropy(impl: Implementation, case: LossCase) -> None:
    """With smoothing 0 and no padding the loss is the mean of -log softmax(logits)[target] over all
    tokens: a scalar that can be differentiated, and leaves logits and target alone."""
    target = case.target()
    logits = case.logits()
    with impl.observe(logits, target) as seen:
        loss_of(impl, case, logits, target)
    require(not seen.changed_inputs, "the loss writes into its inputs.")
    require(not seen.changed_globals, f"the loss changes something global: {'; '.join(seen.changed_globals)}.")
    loss_agrees(impl, case, target)
    loss_agrees(impl, replace(case, layout="transposed"), target, "(the logits are not contiguous in memory)")
    single = LossCase(1, 1, case.vocab, case.seed)
    loss_agrees(impl, single, single.target(), "(one token)")


@pytest.mark.law(
    points=1,
    property="label smoothing",
    title="Smoothing is spread over all V classes",
    hint="1 - smoothing goes to the target's class, smoothing / V to each class, the target's included.",
)
@forall(max_examples=5, case=loss_cases(smoothing=st.sampled_from((0.1, 0.3, 0.75, 1.0))))
def test_loss_smooths_over_all_classes(impl: Implementation, case: LossCase) -> None:
    """The loss is (1 - smoothing) * (-log p[target]) + smoothing * (mean of -log p over all V classes), as
    that of F.cross_entropy(..., label_smoothing=smoothing)."""
    loss_agrees(impl, case, case.target(), "The targets hold no padding here.")


@pytest.mark.law(
    points=1,
    property="padding",
    title="Padding does not count in the loss",
    hint="tokens whose target is `pad_id` belong neither in the sum nor in the number that divides it.",
)
@forall(max_examples=6, case=loss_cases(any_pad_id=True))
def test_loss_averages_over_real_targets(impl: Implementation, case: LossCase) -> None:
    """The loss is the mean over the targets that are not `pad_id`, whichever id that is: all other tokens
    of the batch weigh the same, and logits at padding get no gradient."""
    loss_agrees(impl, case, case.target(padded=True), f"(pad_id {case.pad_id})")
    smoothed = replace(case, smoothing=0.2)
    if smooths(impl, smoothed):  # if not, another law says so
        loss_agrees(impl, smoothed, case.target(padded=True), f"(pad_id {case.pad_id}, smoothing 0.2)")


@pytest.mark.law(
    points=1,
    property="padding",
    title="A batch of nothing but padding has loss 0",
    hint="the number of real targets is 0 here, and 0 / 0 is NaN, also in F.cross_entropy and mean().",
)
@forall(max_examples=4, case=loss_cases(smoothing=st.sampled_from((0.0, 0.2)), any_pad_id=True))
def test_loss_of_padding_only_is_zero(impl: Implementation, case: LossCase) -> None:
    """If every target is padding, the loss is 0 and not NaN, and its gradient is 0 too. Without padding it
    is the cross-entropy."""
    loss_agrees(impl, replace(case, smoothing=0.0), case.target(), "(no padding)")
    target = torch.full((case.batch, case.time), case.pad_id)
    logits = case.logits().requires_grad_()
    loss = scalar(loss_of(impl, case, logits, target), "the loss of padding only")
    agree(loss, torch.zeros_like(loss), "the loss of padding only", given={"target": target})
    if loss.requires_grad:
        (gradient,) = torch.autograd.grad(loss, logits, allow_unused=True, materialize_grads=True)
        agree(gradient, torch.zeros_like(logits), "the gradient of the logits", given={"target": target})


@pytest.mark.law(
    points=1,
    property="numerical range",
    title="The loss holds for large logits and in half precision",
    hint="log_softmax or logsumexp, never the log of a softmax or of a sum of exp; keep the logits' dtype.",
)
@forall(max_examples=4, case=loss_cases())
def test_loss_is_stable(impl: Implementation, case: LossCase) -> None:
    """Logits of thousands give a finite loss with finite gradients, and float16 and bfloat16 logits give
    about the loss of the same numbers in float64, in their own dtype."""
    target = case.target()
    logits = case.logits(torch.float32, scale=2000.0).requires_grad_()
    exact = cross_entropy(logits.detach().double(), target, case.pad_id, case.smoothing)
    loss = loss_of(impl, case, logits, target)
    agree(
        loss,
        exact.float(),
        "the loss of large logits",
        atol=1e-4 * float(exact) + 1e-2,
        given={"logits": logits},
    )
    (gradient,) = torch.autograd.grad(loss, logits)
    check_tensor(gradient, "the gradient of large logits", shape=logits.shape)
    exact = cross_entropy(case.logits(), target, case.pad_id, case.smoothing)
    for dtype in (torch.float16, torch.bfloat16):
        half = loss_of(impl, case, case.logits(dtype), target)
        agree(
            half,
            exact.to(dtype),
            f"the loss in {dtype}",
            atol=12 * torch.finfo(dtype).eps * max(1.0, float(exact)),
        )


# train_step


@pytest.mark.law(
    points=1,
    property="training step",
    title="The decoder reads tgt_in, and the loss is that of tgt_out",
    hint="what the model is called with, and whether pad_id and smoothing are handed on to the loss.",
)
@forall(max_examples=4, case=step_cases(plain=False))
def test_train_step_returns_the_loss_before_the_update(impl: Implementation, case: StepCase) -> None:
    """train_step calls model(src, tgt_in) and returns, as a plain number, the loss against tgt_out before the
    update, with its own `pad_id` and `smoothing`."""
    model, own = subject(impl, case.vocab, case.d_model, case.seed)
    src, tgt_in, tgt_out = case.draw(padded=True)
    optimizer = impl.optimizer(model, case.optimizer, **case.options)
    result = impl.train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=case.pad_id, smoothing=case.smoothing)
    fed_src, fed_tgt, _ = as_fed(model, tgt_out)
    agree(fed_src, src, "the model's first argument", given={"src": src})
    agree(fed_tgt, tgt_in, "the model's second argument", given={"tgt_in": tgt_in, "tgt_out": tgt_out})
    logits = own(src, tgt_in).detach()
    loss = number(result, "the result of train_step")
    expected = float(cross_entropy(logits, tgt_out, case.pad_id, case.smoothing))
    others = {
        "if smoothing is ignored": float(cross_entropy(logits, tgt_out, case.pad_id, 0.0)),
        "if padding is id 0 always": float(cross_entropy(logits, tgt_out, PAD, case.smoothing)),
    }
    same = [
        f" ({loss:.6g} comes out {name})"
        for name, other in others.items()
        if math.isclose(loss, other, rel_tol=ROUNDING)
    ]
    words = f"train_step should return the loss {expected:.6g}, but it returned {loss:.6g}{''.join(same)}."
    require(math.isclose(loss, expected, rel_tol=ROUNDING), words)


@pytest.mark.law(
    points=1,
    property="training step",
    title="One step is one update of the optimizer",
    hint="the order: zero_grad, forward, loss, backward, step; each once.",
)
@forall(max_examples=4, case=step_cases())
def test_train_step_updates_the_parameters_once(impl: Implementation, case: StepCase) -> None:
    """From fresh gradients, train_step moves each parameter as one step of the optimizer on this loss
    does."""
    model, own = subject(impl, case.vocab, case.d_model, case.seed)
    batch = case.draw()
    before = [parameter.detach().clone() for parameter in model.parameters()]
    impl.train_step(model, impl.optimizer(model, case.optimizer, **case.options), *batch)
    still = all(torch.equal(old, new.detach()) for old, new in zip(before, model.parameters(), strict=True))
    require(not still, f"train_step with {case.optimizer} left every parameter as it was.")
    update(own, optimizer_for(own, case.optimizer, **case.options), as_fed(model, batch[2]))
    same_parameters(model, own, f"It should have made one step with {case.optimizer}, {case.options}.")


@pytest.mark.law(
    points=1,
    property="training step",
    title="Old gradients are forgotten",
    hint="backward() adds to what is in .grad already: zero_grad() must come first in each step.",
)
@forall(max_examples=2, case=step_cases())
def test_train_step_forgets_old_gradients(impl: Implementation, case: StepCase) -> None:
    """Gradients left from before, from elsewhere or from the last step, do not change the step."""
    model, own = subject(impl, case.vocab, case.d_model, case.seed)
    for number_of, parameter in enumerate(model.parameters()):
        parameter.grad = random_tensor(parameter.shape, case.seed + number_of)
    optimizer = impl.optimizer(model, case.optimizer, **case.options)
    reference = optimizer_for(own, case.optimizer, **case.options)
    for step in range(3):
        impl.train_step(model, optimizer, *case.draw(step))
        update(own, reference, as_fed(model, case.draw(step)[2], call=step))
        left_over = "gradients set before the call" if step == 0 else "those of the step before"
        same_parameters(model, own, f"It is off after step {step + 1}: {left_over} must not count.", atol=1e-5)


@pytest.mark.law(
    points=1,
    property="clipping",
    title="Gradients are clipped by their total norm before the step",
    hint="one norm over all parameters together, and its place: after backward(), before the step.",
)
@forall(max_examples=2, case=step_cases())
def test_train_step_clips_the_total_norm(impl: Implementation, case: StepCase) -> None:
    """If the total norm of all gradients exceeds `clip`, the step is made with gradients scaled down to it by
    one factor; if not, with the gradients as they are."""
    for share in (0.01, 0.5, 3.0):
        model, own = subject(impl, case.vocab, case.d_model, case.seed)
        batch = case.draw()
        start = nn.utils.parameters_to_vector(own.parameters()).detach()
        clip = share * gradient_norm(own, batch)
        impl.train_step(model, impl.optimizer(model, "SGD", lr=1.0), *batch, clip=clip)
        batch = as_fed(model, batch[2])
        norm = gradient_norm(own, batch)
        moved = float((nn.utils.parameters_to_vector(model.parameters()).detach() - start).norm())
        step = f"The gradient has norm {norm:.4g}. A step of SGD with lr 1 and clip={clip:.4g} should have norm"
        words = f"{step} {min(clip, norm):.4g}, but it has norm {moved:.4g}."
        require(math.isclose(moved, min(clip, norm), rel_tol=1e-3), words)
        update(own, optimizer_for(own, "SGD", lr=1.0), batch, clip=clip)
        same_parameters(model, own, "The norm of the step is right, its direction is not.", atol=CLIPPED)


@pytest.mark.law(
    points=1,
    property="train mode",
    title="A step runs in train mode",
    hint="model.train() at the start of train_step: dropout works in train mode only.",
)
@forall(max_examples=2, case=step_cases())
def test_train_step_runs_in_train_mode(impl: Implementation, case: StepCase) -> None:
    """Even if the model comes in eval mode, its forward pass runs in train mode, and so do its parts."""
    model, own = subject(impl, case.vocab, case.d_model, case.seed)
    model.eval()
    src, tgt_in, tgt_out = case.draw()
    result = impl.train_step(model, impl.optimizer(model, "SGD", lr=0.1), src, tgt_in, tgt_out)
    src, tgt_in, _ = as_fed(model, tgt_out)
    require(all(model.modes()), "the model came in eval mode, and its forward pass ran in eval mode, too.")
    expected = float(cross_entropy(own(src, tgt_in).detach(), tgt_out, PAD, 0.0))
    loss = number(result, "the result of train_step")
    words = f"train_step should return a loss of about {expected:.3g}, but it returned {loss:.3g}."
    require(math.isclose(loss, expected, rel_tol=0.5), words)


# gradient_report


@pytest.mark.law(
    points=1,
    property="gradient report",
    title="Every parameter is in the report, also those without a gradient",
    hint='`p.grad is None` first: such a parameter is "missing", which is not "zero", and is not left out.',
)
@forall(max_examples=4, seed=seeds, width=st.integers(2, 4))
def test_gradient_report_names_missing_gradients(impl: Implementation, seed: int, width: int) -> None:
    """The report has each name of named_parameters(), frozen ones included, and calls a gradient that is None
    "missing"."""
    model = impl.probe("PartsWithGradients", width, True)
    parameters = dict(model.named_parameters())
    trainable = [name for name in parameters if not name.startswith("frozen")]
    with_gradient = trainable[seed % len(trainable)]
    parameters[with_gradient].grad = torch.ones_like(parameters[with_gradient])
    report = report_of(impl, model)
    for name, parameter in parameters.items():
        says(report, name, "ok" if name == with_gradient else "missing", parameter.grad)


@pytest.mark.law(
    points=1,
    property="gradient report",
    title="A gradient is nan if any entry is, and zero only if all are",
    hint='one bad entry is enough for "nan" (infinity is one, too), and a sum of 0 does not mean zeros.',
)
@forall(max_examples=2, seed=seeds, width=st.integers(2, 4))
def test_gradient_report_judges_each_gradient(impl: Implementation, seed: int, width: int) -> None:
    """A gradient with any entry that is not finite is "nan", one whose entries are all 0 is "zero", any
    other is "ok"; the report leaves gradients as they are."""
    model = impl.probe("PartsWithGradients", width, False)
    parameters = dict(model.named_parameters())
    kinds = list(KINDS_OF_GRADIENT)
    for turn in range(len(kinds)):
        gradients = {}
        for place, (name, parameter) in enumerate(parameters.items()):
            kind = kinds[(turn + place) % len(kinds)] if parameter.numel() > 1 else "all zero"
            gradients[name] = (gradient_like(parameter, kind, seed + place), KINDS_OF_GRADIENT[kind])
            parameter.grad = gradients[name][0].clone()
        report = report_of(impl, model)
        for name, (gradient, expected) in gradients.items():
            says(report, name, expected, gradient)
            now = parameters[name].grad
            unchanged = now is not None and torch.equal(now.nan_to_num(7.0), gradient.nan_to_num(7.0))
            require(unchanged, f"gradient_report changed the gradient of {name}.")


# train_copy_task


@pytest.mark.law(
    points=1,
    property="fresh data",
    title="Each step has a fresh batch, and the seed decides them all",
    hint="one generator, seeded with `seed` before the loop and never again, for all calls of copy_batch.",
)
@forall(max_examples=2, case=run_cases())
def test_train_copy_task_draws_fresh_batches(impl: Implementation, case: RunCase) -> None:
    """Every step trains on a new batch of the asked size; the same seed gives the same run whatever the
    global seed, another seed another run, and the global generators stay as they were."""
    model, again, other = (subject(impl, case.vocab_size, case.d_model, case.seed)[0] for _ in range(3))
    impl.seed(case.seed + 1)
    with impl.observe() as seen:
        losses = train(impl, case, model)
    require(not seen.changed_globals, f"the run changed something global: {'; '.join(seen.changed_globals)}.")
    sources = [model.call(step)[0] for step in range(case.steps)]
    for step, src in enumerate(sources):
        check_tensor(src, f"src of step {step + 1}", shape=(case.batch, case.length), dtype=torch.int64)
        for earlier in range(step):
            same = torch.equal(src, sources[earlier])
            require(not same, f"steps {earlier + 1} and {step + 1} trained on the same batch.", src=src)
    impl.seed(case.seed + 2)
    pairs = zip(train(impl, case, again), losses, strict=True)
    repeated = all(math.isclose(second, first, rel_tol=1e-9) for second, first in pairs)
    require(repeated, "a second run with the same seed, from the same parameters, had other losses.")
    train(impl, replace(case, seed=case.seed + 1), other)
    same = torch.equal(other.call(0)[0], sources[0])
    require(not same, "a run with another seed began with the same batch.", src=sources[0])


@pytest.mark.law(
    points=1,
    property="schedule",
    title="Each step is Adam's, with the cooled learning rate",
    hint="one Adam for the run, its betas and eps; the rate is set before each step, the first being 1.",
)
@forall(max_examples=2, case=run_cases())
def test_train_copy_task_follows_the_schedule(impl: Implementation, case: RunCase) -> None:
    """Step s of `steps` is a step of Adam, betas (0.9, 0.98) and eps 1e-9, on the clipped and smoothed loss,
    with the rate noam_lr(s, d_model, warmup) * (steps - s + 1) / steps; each step's loss is returned."""
    for variant in (case, replace(case, smoothing=0.2, clip=TINY_CLIP)):
        model, own = subject(impl, case.vocab_size, case.d_model, case.seed)
        losses = train(impl, variant, model)
        calls = [model.call(step) for step in range(case.steps)]
        snapshots = [*(call[2] for call in calls), nn.utils.parameters_to_vector(model.parameters()).detach()]
        batches = [fed_batch(case, src, tgt_in) for src, tgt_in, _ in calls]
        steps = replay(own, batches, snapshots, smoothing=variant.smoothing, clip=variant.clip)
        for number_of, (step, loss) in enumerate(zip(steps, losses, strict=True), start=1):
            as_scheduled(variant, number_of, step, loss)


NEEDED = 0.95


@pytest.fixture
def run_seed(request: pytest.FixtureRequest) -> int:
    """The seed of this run of the laws (`--hypothesis-seed`)."""
    return int(request.config.getoption("hypothesis_seed"))


@pytest.mark.law(
    points=2,
    property="copy task",
    title="The trained Transformer copies what it has never seen",
    hint="the laws above this one first; then the masks, the positions and the shift of the target.",
)
def test_transformer_learns_to_copy(impl: Implementation, run_seed: int) -> None:
    """After 300 steps of your train_copy_task, your Transformer's parameters write at least 95 % of 256
    new sequences without a fault, one token after another, EOS included."""
    with impl.allow(cpu_seconds=60):
        model = transformer(impl, run_seed)
        impl.train_copy_task(model, steps=300, batch=32, warmup=60, clip=1.0, seed=run_seed, **COPY_TASK)
    expected, written = copies(model, run_seed)
    right = (written == expected).all(dim=1)  # (N,)
    words = f"{int(right.sum())} of {len(right)} new sequences were copied without a fault,"
    wrong = (~right).nonzero().flatten()[:4]
    shown = {"should be written": expected[wrong], "was written": written[wrong]}
    require(float(right.double().mean()) >= NEEDED, f"{words} {NEEDED:.0%} are needed.", **shown)
