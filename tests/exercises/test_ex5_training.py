"""The laws of exercise 5: data, learning rate, loss, one step, the gradient report, and learning to copy.

Steps and runs are tried on small known models (`grader.laws.probes`), so that a fault in exercise 4 costs
nothing here; only the last law trains the student's own Transformer.
"""

import itertools
import math
from dataclasses import replace
from functools import partial

import pytest
import torch
from hypothesis import strategies as st
from torch import nn

from grader.course import FIRST_CONTENT_ID, PAD
from grader.laws.batch_checks import drawn_batch, framed_rightly, in_range, not_dealt_out, rows_differ, uniform, varied
from grader.laws.compare import agree, check_tensor, holds, in_its_own_sizes, require, under
from grader.laws.forall import forall
from grader.laws.gradient_report_checks import KINDS_OF_GRADIENT, all_judged_rightly, gradient_like, report_of, says
from grader.laws.interface import Implementation
from grader.laws.loss_checks import (
    PADDING_ASIDE,
    ROUNDING,
    SMOOTHINGS,
    check_every_side_effect,
    check_padding_only,
    fault_of_loss,
    loss_agrees,
    loss_of,
    losses_here,
    once_the_loss_is_right,
    scalar,
)
from grader.laws.oracles_training import cross_entropy, framed, gradient_norm, noam, optimizer_for, update
from grader.laws.raises import on_meta
from grader.laws.tensors import random_ids, seeds
from grader.laws.training_cases import (
    LONG_RUN,
    OPTIMIZERS,
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
    IN_FLOAT32,
    STEP_USES,
    all_fresh,
    as_fed,
    check_every_step,
    copies,
    follows_the_schedule,
    is_the_loss,
    losses_of,
    number,
    only_call,
    same_parameters,
    seeded_with,
    set_gradients,
    subject,
    take_parameters,
    train,
    transformer,
)

TINY_CLIP = 1e-7
"""Brings gradients down to where Adam's eps matters."""


# copy_batch


@pytest.mark.law(
    points=1,
    property="copy data",
    title="tgt_in is SOS and the source, tgt_out is the source and EOS",
    hint="which column goes where: SOS in front of tgt_in, EOS at the end of tgt_out, all of src in both.",
)
@forall(max_examples=3, case=batch_cases)
def test_copy_batch_shifts_the_target_by_one(impl: Implementation, case: BatchCase) -> None:
    """At each place the decoder reads the token before the one it must say: tgt_in = [SOS] + src and
    tgt_out = src + [EOS]."""
    source = impl.generator(case.seed)
    for sizes in (case, replace(case, batch=1), replace(case, length=1)):
        framed_rightly(*drawn_batch(impl, sizes, source))
    with under("with generator=None"):
        framed_rightly(*drawn_batch(impl, case, None))
    earlier = drawn_batch(impl, case, source)
    drawn_batch(impl, case, source)
    framed_rightly(*earlier)  # a batch is the caller's: the next one is not written over it


@pytest.mark.law(
    points=1,
    property="copy data",
    title="Content is uniform, and drawn anew for each place of each row",
    hint="the range of torch.randint, whose upper end is exclusive; one draw for each place of each row.",
)
@forall(max_examples=1, seed=seeds)
def test_copy_batch_content_is_uniform(impl: Implementation, seed: int) -> None:
    """In a large batch each content id is as frequent as any other in every column, and neither rows nor
    columns repeat each other. In small ones ids repeat as they do by chance, and of a large vocabulary none is left
    out."""
    source = impl.generator(seed)
    for case in (BatchCase(900, 4, 8, seed), BatchCase(900, 20, 12, seed)):
        uniform(drawn_batch(impl, case, source)[0], case.vocab_size)
    for case in (BatchCase(32, 16, 12, seed), BatchCase(900, 16, 12, seed)):
        rows_differ(drawn_batch(impl, case, source)[0])
    impl.seed(seed)
    with under("with generator=None"):
        uniform(drawn_batch(impl, BatchCase(900, 4, 8, seed), None)[0], 8)
        rows_differ(drawn_batch(impl, BatchCase(32, 16, 12, seed), None)[0])
    single, _, _ = drawn_batch(impl, BatchCase(2, 4, 4, seed), source)
    in_range(single, 4)
    for sizes in (BatchCase(1, 9, 12, seed), BatchCase(9, 1, 12, seed), BatchCase(3, 6, 12, seed)):
        not_dealt_out([drawn_batch(impl, sizes, source)[0] for _ in range(3)])
    varied(drawn_batch(impl, BatchCase(300, 20, 5003, seed), source)[0], 5003)


@pytest.mark.law(
    points=1,
    property="randomness",
    title="All randomness comes from the generator",
    hint="hand `generator` to every random call and seed nothing; with None, each call must still draw anew.",
)
@forall(max_examples=2, case=st.builds(BatchCase, st.integers(4, 6), st.integers(5, 7), st.just(12), seeds))
def test_copy_batch_draws_from_the_generator_only(impl: Implementation, case: BatchCase) -> None:
    """The same generator state gives the same batch whatever the global seed, the next call gives another
    batch, and the global generators stay as they were. Without a generator nothing is seeded."""
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
    with impl.observe() as seen:
        unseeded = [drawn_batch(impl, case, None)[0] for _ in range(2)]
        impl.copy_batch(batch=case.batch, length=case.length, vocab_size=case.vocab_size)  # None is the default
    require(not torch.equal(*unseeded), "two calls with generator=None drew the same batch.", src=unseeded[0])
    changed = "; ".join(seen.changed_settings)
    require(not changed, f"with generator=None, copy_batch changed something global: {changed}.")
    seeded = []
    for _ in range(2):
        impl.seed(case.seed)
        seeded.append(drawn_batch(impl, case, None)[0])
    because = "With generator=None it must depend on torch's global generator alone, which was seeded alike."
    agree(seeded[1], seeded[0], "src after the same torch.manual_seed", because=because)


# noam_lr


@pytest.mark.law(
    points=1,
    property="learning rate",
    title="The learning rate follows the paper's formula",
    hint="the signs of the exponents, min and not max, and step 0, which counts as step 1.",
)
@forall(max_examples=2, d_model=st.integers(8, 1024), warmup=st.integers(4, 400))
def test_noam_lr_follows_the_formula(impl: Implementation, d_model: int, warmup: int) -> None:
    """noam_lr = d_model^-0.5 * min(step^-0.5, step * warmup^-1.5): it rises up to step = warmup, then
    falls; step 0 counts as 1."""
    for width, peak in ((d_model, warmup), (512, 4000), (d_model, 1), (1, warmup)):
        off = {}
        for step in dict.fromkeys((1, 2, max(peak - 1, 1), peak, peak + 1, 4 * peak, 100_000, 0)):
            call = f"noam_lr(step={step}, d_model={width}, warmup={peak})"
            rate = number(impl.noam_lr(step=step, d_model=width, warmup=peak), call)
            expected = noam(step, width, peak)
            part = "step 0 counts as 1" if step == 0 else "while it rises" if step <= peak else "while it falls"
            if not math.isclose(rate, expected, rel_tol=1e-6):
                off[step] = f"{call} should be {expected:.9g} ({part}), but it is {rate:.9g}."
        everywhere = f" So it is at step {', '.join(map(str, off))}." if len(off) > 1 else ""
        require(not off, next(iter(off.values()), "") + everywhere)


# label_smoothing_loss


@pytest.mark.law(
    points=1,
    property="cross-entropy",
    title="Without smoothing, the loss is cross-entropy",
    hint="log_softmax once, over the last axis, then the target's entry; reshape does not swap axes.",
)
@forall(max_examples=4, case=loss_cases())
def test_loss_is_cross_entropy(impl: Implementation, case: LossCase) -> None:
    """With smoothing 0 and no padding the loss is the mean of -log softmax(logits)[target] over all
    tokens: a scalar that can be differentiated, stays on the device of the logits (here torch's `meta`), and leaves
    logits and target alone."""
    check_every_side_effect(impl, case.seed)
    loss_agrees(impl, case, case.target())
    spread = replace(case, layout="transposed")
    loss_agrees(impl, spread, spread.target(), "(logits and target are not contiguous in memory)")
    single = LossCase(1, 1, case.vocab, case.seed)
    loss_agrees(impl, single, single.target(), "(one token)")
    for here in losses_here(case.seed, smoothing=(0.0,), padded=(False,), pad_id=(PAD,)):
        here.check(impl)
    far = case.logits().to("meta"), case.target().to("meta")
    for smoothing in (0.0, 0.2):
        loss = on_meta(partial(loss_of, impl, replace(case, smoothing=smoothing), *far), "label_smoothing_loss")
        if loss is not None:
            check_tensor(loss, "the loss on meta", shape=(), device="meta")


@pytest.mark.law(
    points=1,
    property="label smoothing",
    title="Smoothing is spread over all V classes",
    hint="1 - smoothing goes to the target's class, smoothing / V to each class, the target's included.",
)
@forall(max_examples=3, case=loss_cases(smoothing=st.sampled_from((0.3, 0.1, 0.75))))
def test_loss_smooths_over_all_classes(impl: Implementation, case: LossCase) -> None:
    """The loss is (1 - smoothing) * (-log p[target]) + smoothing * (mean of -log p over all V classes), as
    that of F.cross_entropy(..., label_smoothing=smoothing)."""
    for sizes in (case, replace(case, batch=1, smoothing=1.0), replace(case, time=1, smoothing=0.2)):
        words = f"(batch {sizes.batch}, T {sizes.time}, smoothing {sizes.smoothing}, no padding)"
        loss_agrees(impl, sizes, sizes.target(), words)
    logits, target = case.logits(), case.target()
    with torch.no_grad():
        loss = scalar(loss_of(impl, case, logits, target), "the loss")
    expected, named = cross_entropy(logits, target, case.pad_id, case.smoothing), {"logits": logits, "target": target}
    agree(loss, expected, "the loss under torch.no_grad(), of logits without gradients,", atol=ROUNDING, given=named)
    for here in losses_here(case.seed, smoothing=SMOOTHINGS, padded=(False,), pad_id=(PAD,)):
        if holds(here.plain().check, impl):  # if not, another law says so
            here.check(impl)


@pytest.mark.law(
    points=1,
    property="padding",
    title="Padding does not count in the loss",
    hint="tokens whose target is `pad_id` belong neither in the sum nor in the number that divides it.",
)
@forall(max_examples=2, case=loss_cases())
def test_loss_averages_over_real_targets(impl: Implementation, case: LossCase) -> None:
    """The loss is the mean over the targets that are not `pad_id`, whichever id that is (0 if it is not given):
    all other tokens of the batch weigh the same, and logits at padding get no gradient."""
    with once_the_loss_is_right(impl, PADDING_ASIDE, case.logits(), case.target()):
        for padded in case.with_each_pad_id():
            loss_agrees(impl, padded, padded.target(padded=True), f"(pad_id {padded.pad_id})")
        words = "(called without pad_id and smoothing, which then are 0)"
        loss_agrees(impl, case, case.target(padded=True), words, by_default=True)
    if fault_of_loss(impl, case.logits(), case.target(), case.pad_id, 0.2):
        return  # another law says so
    for padded in case.with_each_pad_id():
        smoothed = replace(padded, smoothing=0.2)
        loss_agrees(impl, smoothed, smoothed.target(padded=True), f"(pad_id {padded.pad_id}, smoothing 0.2)")
    alone = case.target()
    alone.view(-1)[1:] = case.pad_id
    loss_agrees(impl, case, alone, "(a single real target)")
    for here in losses_here(case.seed, smoothing=(0.0, *SMOOTHINGS), padded=(True,)):
        if holds(here.plain().check, impl):  # if not, another law says so
            here.check(impl)


@pytest.mark.law(
    points=1,
    property="padding",
    title="A batch of nothing but padding has loss 0",
    hint="the number of real targets is 0 here, and 0 / 0 is NaN, also in F.cross_entropy and mean().",
)
@forall(max_examples=2, case=loss_cases())
def test_loss_of_padding_only_is_zero(impl: Implementation, case: LossCase) -> None:
    """If every target is padding, whatever its id, the loss is 0 and not NaN, and its gradient is 0 too. If
    every target is 0 but padding is another id, the loss is the cross-entropy."""
    elsewhere = replace(case, pad_id=case.vocab - 1)
    zeros = torch.zeros_like(elsewhere.target())
    with once_the_loss_is_right(impl, PADDING_ASIDE, elsewhere.logits(), elsewhere.target(), elsewhere.pad_id):
        loss_agrees(impl, elsewhere, zeros, f"(all targets are 0, and padding is {elsewhere.pad_id})")
    for padded, smoothing in itertools.product(case.with_each_pad_id(), (0.0, 0.2)):
        check_padding_only(impl, replace(padded, smoothing=smoothing))


@pytest.mark.law(
    points=1,
    property="numerical range",
    title="The loss holds for large logits and in half precision",
    hint="log_softmax or logsumexp, never the log of a softmax or of a sum of exp; keep the logits' dtype.",
)
@forall(max_examples=2, case=loss_cases())
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
    hard = replace(case, smoothing=0.2)
    if not fault_of_loss(impl, hard.logits(), hard.target(padded=True), hard.pad_id, 0.2):
        case, target = hard, hard.target(padded=True)  # as the loss can do that in float64
    exact = cross_entropy(case.logits(), target, case.pad_id, case.smoothing)
    for dtype in (torch.float16, torch.bfloat16):
        half = loss_of(impl, case, case.logits(dtype), target)
        agree(
            half,
            exact.to(dtype),
            f"the loss in {dtype}",
            atol=12 * torch.finfo(dtype).eps * max(1.0, float(exact)),
            given={"target": target},
            because="In float64 it is right." if case is hard else "",
        )


# train_step


@pytest.mark.law(
    points=1,
    property="training step",
    title="The decoder reads tgt_in, and the loss is that of tgt_out",
    hint="what the model is called with, and whether pad_id and smoothing are handed on to the loss.",
)
@forall(max_examples=2, case=step_cases())
def test_train_step_returns_the_loss_before_the_update(impl: Implementation, case: StepCase) -> None:
    """train_step calls model(src, tgt_in) and returns, as a plain number, the loss against tgt_out before the
    update, with its own `pad_id` and `smoothing`, which are 0 if they are not given."""
    model, own = subject(impl, case.vocab, case.d_model, case.seed)
    optimizer = impl.optimizer(model, case.optimizer, **case.options)
    clipped = replace(case, pad_id=6, smoothing=0.1)
    single = replace(case, batch=1, pad_id=3, smoothing=0.4)
    for step, options in ((case, {}), (single, single.loss_options), (clipped, {**clipped.loss_options, "clip": 0.1})):
        src, tgt_in, tgt_out = step.draw(padded=True)
        take_parameters(own, model)
        given = [ids.clone() for ids in (src, tgt_in, tgt_out)]
        with impl.observe(*given) as seen:
            result = impl.train_step(model, optimizer, *given, **options)
        written = " and ".join(("src", "tgt_in", "tgt_out")[place] for place in seen.changed_inputs)
        require(not written, f"train_step writes into its input {written}.")
        fed_src, fed_tgt, _ = as_fed(model, tgt_out)
        agree(fed_src, src, "the model's first argument", given={"src": src})
        agree(fed_tgt, tgt_in, "the model's second argument", given={"tgt_in": tgt_in, "tgt_out": tgt_out})
        logits = own(src, tgt_in).detach()
        with once_the_loss_is_right(impl, STEP_USES, logits, tgt_out, step.pad_id, step.smoothing):
            is_the_loss(result, logits, tgt_out, step, str(options or "no options"))


@pytest.mark.law(
    points=1,
    property="training step",
    title="One step is one update of the optimizer",
    hint="the order: zero_grad, forward, loss, backward, step; each once.",
)
@forall(max_examples=2, case=step_cases())
@in_its_own_sizes
def test_train_step_updates_the_parameters_once(impl: Implementation, case: StepCase) -> None:
    """From fresh gradients, train_step moves each parameter as one step of the optimizer on this loss
    does; without `clip`, gradients of any size count in full."""
    for number_of, (name, options) in enumerate(OPTIMIZERS.items()):
        loud = name == "SGD"  # Adam blows up what rounding leaves of a vanishing gradient
        model, own = subject(impl, case.vocab, case.d_model, case.seed, loud=loud)
        batch = case.draw(number_of, padded=name == "SGD")
        before = take_parameters(own, model)
        impl.train_step(model, impl.optimizer(model, name, **options), *batch)
        still = torch.equal(before, nn.utils.parameters_to_vector(model.parameters()))
        require(not still, f"train_step with {name} left every parameter as it was.")
        batch = as_fed(model, batch[2])
        logits = own(*batch[:2])
        update(own, optimizer_for(own, name, **options), batch)
        with once_the_loss_is_right(impl, STEP_USES, logits, batch[2]):
            same_parameters(model, own, f"It should have made one step with {name}, {options}.", atol=IN_FLOAT32)
    check_every_step(impl, case.seed, clips=(None,))


@pytest.mark.law(
    points=1,
    property="training step",
    title="Old gradients are forgotten",
    hint="backward() adds to what is in .grad already: zero_grad() must come first in each step.",
)
@forall(max_examples=2, case=step_cases())
def test_train_step_forgets_old_gradients(impl: Implementation, case: StepCase) -> None:
    """Gradients left from before, from elsewhere or from the last step, do not change the step."""
    left_over = ("", "from elsewhere", "from elsewhere", "of the step before")
    model, own = subject(impl, case.vocab, case.d_model, case.seed)
    optimizer = impl.optimizer(model, case.optimizer, **case.options)
    reference = optimizer_for(own, case.optimizer, **case.options)
    for step, left in enumerate(left_over):
        if "elsewhere" in left:
            set_gradients(model, case.seed)
        impl.train_step(model, optimizer, *case.draw(step))
        batch = as_fed(model, case.draw(step)[2])
        logits = own(*batch[:2])
        update(own, reference, batch)
        words = f"It is off after step {step + 1}: gradients {left} must not count."
        if not left and not holds(same_parameters, model, own, "", atol=1e-5):
            return  # another law says so
        with once_the_loss_is_right(impl, STEP_USES, logits, batch[2]):
            same_parameters(model, own, words, atol=1e-5)


@pytest.mark.law(
    points=1,
    property="clipping",
    title="Gradients are clipped by their total norm before the step",
    hint="one norm over all parameters together, and its place: after backward(), before the step.",
)
@forall(max_examples=2, case=step_cases())
def test_train_step_clips_the_total_norm(impl: Implementation, case: StepCase) -> None:
    """If the total norm of all gradients exceeds `clip`, the step is made with gradients scaled down to it by
    one factor; if not, with the gradients as they are. Parameters without a gradient do not disturb."""
    for number_of, share in enumerate((0.01, 0.9, 3.0)):
        model, own = subject(impl, case.vocab, case.d_model, case.seed + number_of, loud=True, spare=True)
        batch = case.draw()
        start = take_parameters(own, model)
        clip = share * gradient_norm(own, batch)
        impl.train_step(model, impl.optimizer(model, "SGD", lr=1.0), *batch, clip=clip)
        batch = as_fed(model, batch[2])
        logits = own(*batch[:2])
        with once_the_loss_is_right(impl, STEP_USES, logits, batch[2]):
            norm = gradient_norm(own, batch)
            moved = float((nn.utils.parameters_to_vector(model.parameters()).detach() - start).norm())
            step = f"The gradient has norm {norm:.4g}. A step of SGD with lr 1 and clip={clip:.4g} should have norm"
            words = f"{step} {min(clip, norm):.4g}, but it has norm {moved:.4g}."
            require(math.isclose(moved, min(clip, norm), rel_tol=1e-3), words)
            update(own, optimizer_for(own, "SGD", lr=1.0), batch, clip=clip)
            same_parameters(
                model, own, "The norm of the step is right to a thousandth, its entries are not.", atol=IN_FLOAT32
            )
    check_every_step(impl, case.seed, clips=(0.05, 1000.0))


@pytest.mark.law(
    points=1,
    property="train mode",
    title="A step runs in train mode",
    hint="train_step begins by putting the model into train mode: dropout works in no other.",
)
@forall(max_examples=2, case=step_cases())
def test_train_step_runs_in_train_mode(impl: Implementation, case: StepCase) -> None:
    """Even if the model comes in eval mode, its forward pass runs in train mode, and so do its parts, frozen ones
    included. The loss that is returned is the one of this pass."""
    model, own = subject(impl, case.vocab, case.d_model, case.seed, dropout=1.0)
    optimizer = impl.optimizer(model, case.optimizer, **case.options)
    parameters = dict(model.named_parameters())
    whole, part = "the model was in eval mode", "a part of the model was in eval mode"
    for step, before in enumerate((whole, whole, part)):
        model.train(before == part)
        model.dropout.train(False)
        parameters["src_embed.weight"].requires_grad_(before == whole)
        take_parameters(own, model)
        src, tgt_in, tgt_out = case.draw(step)
        loss = number(impl.train_step(model, optimizer, src, tgt_in, tgt_out), "the result of train_step")
        src, tgt_in, _, in_eval = only_call(model, case.batch)
        words = f"before step {step + 1} {before}, and in its forward pass {in_eval} still was."
        require(not in_eval, words)
        logits, without = own.train()(src, tgt_in).detach(), own.eval()(src, tgt_in).detach()
        expected, other = (float(cross_entropy(each, tgt_out, PAD, 0.0)) for each in (logits, without))
        words = f"train_step returned {loss:.6g}, the loss in eval mode. It should be that of the pass in train mode,"
        in_eval_mode = math.isclose(loss, other, rel_tol=1e-4) and not math.isclose(loss, expected, rel_tol=1e-4)
        require(not in_eval_mode, f"{words} which dropout (here 1) makes {expected:.6g}.")
        words = f"train_step should return a loss of about {expected:.3g}, but it returned {loss:.3g}."
        with once_the_loss_is_right(impl, STEP_USES, logits, tgt_out):
            require(math.isclose(loss, expected, rel_tol=0.5), words)


# gradient_report


@pytest.mark.law(
    points=1,
    property="gradient report",
    title="Every parameter is in the report, also those without a gradient",
    hint='`p.grad is None` first: such a parameter is "missing", which is not "zero", and is not left out.',
)
@forall(max_examples=2, seed=seeds, width=st.integers(2, 4))
def test_gradient_report_names_missing_gradients(impl: Implementation, seed: int, width: int) -> None:
    """The report has each name of named_parameters(), frozen ones included, and calls a gradient that is None
    "missing"."""
    model, other = (impl.probe("PartsWithGradients", width, frozen) for frozen in (True, False))
    parameters = dict(model.named_parameters())
    trainable = [name for name in parameters if not name.startswith("frozen")]
    for with_gradient in (["frozen.weight"], [trainable[seed % len(trainable)]]):
        given = {name: torch.ones_like(parameters[name]) if name in with_gradient else None for name in parameters}
        for name, parameter in parameters.items():
            parameter.grad = given[name]
        for which in ("in a first report", "in a second one, though nothing was done in between"):
            report = report_of(impl, model)
            with under(which):
                for name, gradient in given.items():
                    says(report, name, "missing" if gradient is None else "ok", gradient)
    for name, word in report_of(impl, other).items():
        require(word == "missing", f"of a second model, whose gradients are all missing, it calls {name} {word!r}.")


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
    kinds = list(KINDS_OF_GRADIENT)
    dtypes = (torch.float32, torch.float16, torch.bfloat16, torch.float64)
    wrong = []
    for turn, dtype in itertools.product(range(len(kinds)), dtypes):
        parameters = dict(model.to(dtype).train(turn % 2 == 0).named_parameters())
        gradients = {}
        for place, (name, parameter) in enumerate(parameters.items()):
            kind = kinds[(turn + place) % len(kinds)]
            if kind == "entries that cancel" and parameter.numel() == 1:
                kind = "all zero"
            gradients[name] = (kind, gradient_like(parameter, kind, seed + turn))
            parameter.grad = gradients[name][1].clone()
        report = report_of(impl, model)
        for name, (kind, gradient) in gradients.items():
            if report[name] != KINDS_OF_GRADIENT[kind]:
                wrong.append((kind, name, report[name], gradient))
            now = parameters[name].grad
            unchanged = now is not None and torch.equal(now.nan_to_num(7.0), gradient.nan_to_num(7.0))
            require(unchanged, f"gradient_report changed the gradient of {name}.")
        require(model.training == (turn % 2 == 0), "gradient_report changed the mode of the model.")
        fixed = [name for name, parameter in model.named_parameters() if not parameter.requires_grad]
        require(not fixed, f"gradient_report froze {fixed}.")
    all_judged_rightly(wrong)


# train_copy_task


@pytest.mark.law(
    points=1,
    property="fresh data",
    title="Each step has a fresh batch, and the seed decides them all",
    hint="one generator, seeded with `seed` before the loop and never again, for all calls of copy_batch.",
)
@forall(max_examples=1, case=run_cases())
def test_train_copy_task_draws_fresh_batches(impl: Implementation, case: RunCase) -> None:
    """Every step trains on a new batch of the asked size; the same seed gives the same run whatever the
    global seed, another seed another run, and the global generators stay as they were."""
    model, again, other = (subject(impl, case.vocab_size, case.d_model, case.seed)[0] for _ in range(3))
    impl.seed(case.seed + 1)
    with impl.observe() as seen:
        losses, calls = train(impl, case, model)
    require(not seen.changed_globals, f"the run changed something global: {'; '.join(seen.changed_globals)}.")
    all_fresh(calls)
    seeded_with(impl, case, calls)
    long = replace(case, steps=210, batch=4, length=6)  # so many ids that no batch is drawn twice by chance
    _, calls_of_long = train(impl, long, subject(impl, case.vocab_size, case.d_model, case.seed)[0])
    all_fresh(calls_of_long)
    seeded_with(impl, long, calls_of_long)
    impl.seed(case.seed + 2)
    pairs = zip(train(impl, case, again)[0], losses, strict=True)
    repeated = all(math.isclose(second, first, rel_tol=1e-9) for second, first in pairs)
    require(repeated, "a second run with the same seed, from the same parameters, had other losses.")
    zero = replace(case, seed=0 if case.seed else 1, steps=1)  # 0 is a seed like any other
    _, others = train(impl, zero, other)
    seeded_with(impl, zero, others)
    same = torch.equal(others[0][0], calls[0][0])
    require(not same, "a run with another seed began with the same batch.", src=others[0][0])


@pytest.mark.law(
    points=1,
    property="schedule",
    title="Each step is Adam's, with the cooled learning rate",
    hint="one Adam for the run, its betas and eps; the rate is set before each step, the first being 1. Each step "
    "begins in train mode and without gradients from before.",
)
@forall(max_examples=1, case=run_cases())
@in_its_own_sizes
def test_train_copy_task_follows_the_schedule(impl: Implementation, case: RunCase) -> None:
    """Step s of `steps` is a step of Adam, betas (0.9, 0.98) and eps 1e-9, on the clipped and smoothed loss,
    with the rate noam_lr(s, d_model, warmup) * (steps - s + 1) / steps; each step's loss is returned. So it is in
    a long run, too, on a fresh batch at each step, and with what is used if only `steps` is given. All steps run in
    train mode, in whatever mode the model came."""
    model, own = subject(impl, LONG_RUN.vocab_size, case.d_model, case.seed, loud=True, spare=True)
    sources = random_ids((case.batch, case.length), case.seed, low=FIRST_CONTENT_ID, high=case.vocab_size)
    usual = gradient_norm(own, framed(sources))  # a clip above 1 that limits some steps, and others not
    for variant in (
        replace(case, clip=usual),
        replace(case, clip=None, smoothing=0.4),
        replace(case, smoothing=0.2, clip=TINY_CLIP),
        replace(case, steps=1),
    ):
        follows_the_schedule(impl, variant, model, own)
    follows_the_schedule(impl, LONG_RUN, model, own, by_default=True)


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
        result = impl.train_copy_task(model, steps=300, batch=32, warmup=60, clip=1.0, seed=run_seed, **COPY_TASK)
    losses_of(result, 300)
    expected, written = copies(model, run_seed)
    right = (written == expected).all(dim=1)  # (N,)
    words = f"{int(right.sum())} of {len(right)} new sequences were copied without a fault,"
    wrong = (~right).nonzero().flatten()[:4]
    shown = {"should be written": expected[wrong], "was written": written[wrong]}
    require(float(right.double().mean()) >= NEEDED, f"{words} {NEEDED:.0%} are needed.", **shown)
