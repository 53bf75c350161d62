"""Exercise 5. Training: teach the Transformer to copy.

The task is to write the source again. It sounds trivial, but a model that can do it has learned positions,
masks, cross-attention and when to stop. You write everything around the model: data, learning rate, loss, one
step, a check of the gradients, and the loop.

Source: Vaswani et al. 2017, "Attention Is All You Need", sections 5.3 (optimizer, equation 3) and 5.4.
Shapes: B batch, L length of a source, T time, V vocabulary.
Token ids: PAD = 0, SOS = 1, EOS = 2, content from 3. PAD and EOS differ on purpose: the loss ignores PAD, and
a model that is never graded on EOS never learns to stop.

Nothing here writes into its inputs, sets anything global (seed, default dtype, grad mode), or keeps something from
one call for the next. Only training changes parameters, and only those of its model.
"""

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

if TYPE_CHECKING:  # for the type of one argument; this file also runs without exercise 4
    from exercises.ex4_transformer import Transformer

PAD, SOS, EOS = 0, 1, 2
FIRST_CONTENT_ID = 3


def copy_batch(
    batch: int, length: int, vocab_size: int, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw random sequences, and for each the decoder's input and what it should say.

    The decoder is taught by forcing: at each position it reads the right token and must name the next one. So
    its input begins with SOS, and its output is the same sequence one place to the left and ends with EOS.

    Args:
        batch: number of sequences B.
        length: content tokens L of each.
        vocab_size: content ids are uniform over 3 .. vocab_size - 1.
        generator: where all the randomness comes from; None means torch's global one.

    Returns:
        `(src, tgt_in, tgt_out)`, int64 tensors (B, L), (B, L+1), (B, L+1) on the generator's device; on the
        CPU if there is none.

    Raises:
        ValueError: if `batch` or `length` is less than 1, or `vocab_size` is at most 3: no content is left.

    Example: vocab_size = 4 has one content id only, 3.

        >>> src, tgt_in, tgt_out = copy_batch(batch=1, length=2, vocab_size=4)
        >>> src
        tensor([[3, 3]])
        >>> tgt_in                      # SOS, then the source
        tensor([[1, 3, 3]])
        >>> tgt_out                     # the source, then EOS
        tensor([[3, 3, 2]])
    """
    # TODO: write copy_batch, step by step.
    # 1. Refuse sizes that make no sense with a ValueError that shows them.
    # 2. Draw the content with torch.randint, from the generator and on its device.
    # 3. Put a column of SOS before it, and a column of EOS after it.
    raise NotImplementedError("ex5: copy_batch is not written yet")


def noam_lr(step: int, d_model: int, warmup: int) -> float:
    """The paper's learning rate: a linear rise for `warmup` steps, then a fall with the inverse square root.

    Equation (3):

        lr = d_model^-0.5 * min(step^-0.5, step * warmup^-1.5)

    The two terms meet at step = warmup, the peak. Early on, Adam has seen few gradients and its step sizes
    are guesses; the warm-up keeps those first steps small.

    Args:
        step: counts from 1; step 0 is treated as 1, as 0^-0.5 is not a number.
        d_model: width of the model.
        warmup: number of steps until the peak.

    Raises:
        ValueError: if `step` is negative, or `d_model` or `warmup` is less than 1.

    Example: d_model = 4 and warmup = 4. Up by 1/16 a step to the peak of 1/4; at step 16 half of it is left.

        >>> [noam_lr(step, d_model=4, warmup=4) for step in (0, 1, 2, 4, 16)]
        [0.0625, 0.0625, 0.125, 0.25, 0.125]
    """
    # TODO: write noam_lr, step by step.
    # 1. Refuse impossible arguments with a ValueError that shows them.
    # 2. Treat step 0 as step 1 and return the equation's value.
    raise NotImplementedError("ex5: noam_lr is not written yet")


def label_smoothing_loss(logits: Tensor, target: Tensor, pad_id: int = 0, smoothing: float = 0.0) -> Tensor:
    """Cross-entropy against a slightly softened target, averaged over the targets that are not padding.

    Equation (section 5.4; Szegedy et al. 2016, section 7), with p = softmax(logits) and epsilon = smoothing:

        loss of one token = (1 - epsilon) * (-log p[target])  +  epsilon * mean over all V classes of (-log p)

    So the target class gets 1 - epsilon + epsilon / V and each other class epsilon / V, as in the
    `label_smoothing` of `F.cross_entropy`. A model that need not reach probability 1 stays less sure of
    itself and generalises better.

    Args:
        logits: Tensor (B, T, V).
        target: integer tensor (B, T).
        pad_id: targets with this id do not count, neither in the sum nor in the number that divides it.
        smoothing: epsilon, between 0 and 1; 0 is plain cross-entropy.

    Returns:
        Scalar tensor of the logits' dtype. If every target is padding it is 0, not NaN, and so are its
        gradients.

    Raises:
        ValueError: if `smoothing` is outside [0, 1], or the shapes of `logits` and `target` do not match.

    Example: one token, three classes, p = (1/2, 1/4, 1/4), target 0, then with epsilon = 0.3. The mean of
    -log p is (0.6931 + 1.3863 + 1.3863) / 3 = 1.1552, and 0.7 * 0.6931 + 0.3 * 1.1552 = 0.8318.

        >>> logits = torch.tensor([[[0.50, 0.25, 0.25]]]).log()
        >>> target = torch.tensor([[0]])
        >>> label_smoothing_loss(logits, target, pad_id=-1)
        tensor(0.6931)
        >>> label_smoothing_loss(logits, target, pad_id=-1, smoothing=0.3)
        tensor(0.8318)
    """
    # TODO: write label_smoothing_loss, step by step.
    # 1. Refuse a smoothing outside [0, 1], and shapes that do not match, with a ValueError that shows them.
    # 2. log p with log_softmax over the classes (never log(softmax): it underflows), in float32 at least.
    # 3. Per token: minus log p of the target (gather), and the mean of minus log p over the classes. Mix the
    #    two. Where the target is padding, its id may be no class at all: gather something harmless there.
    # 4. Sum over the tokens that are not padding and divide by their number, or by 1 if there are none.
    raise NotImplementedError("ex5: label_smoothing_loss is not written yet")


def train_step(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    src: Tensor,
    tgt_in: Tensor,
    tgt_out: Tensor,
    pad_id: int = 0,
    smoothing: float = 0.0,
    clip: float | None = None,
) -> float:
    """One update of the model on one batch.

    Clipping scales all gradients by one factor if their total norm exceeds `clip` (Pascanu et al. 2013): a
    rare, huge gradient keeps its direction, but cannot throw the model away. It belongs between backward and
    step.

    Args:
        model: called as `model(src, tgt_in)`, returns logits (B, T, V). It is put into train mode.
        optimizer: over the model's parameters; it may hold gradients of an earlier step.
        src: integer tensor (B, L).
        tgt_in: integer tensor (B, T), what the decoder reads.
        tgt_out: integer tensor (B, T), what it should say.
        pad_id, smoothing: as in `label_smoothing_loss`.
        clip: the largest total gradient norm, or None for no limit.

    Returns:
        The loss of this batch before the update, a plain number.

    Raises:
        ValueError: if `clip` is not positive.

    Example: gradients (3, 4) have the total norm sqrt(9 + 16) = 5. With clip = 1 they become (0.6, 0.8); with
    clip = 10 they stay (3, 4).
    """
    # TODO: write train_step, step by step.
    # 1. Refuse a clip that is not positive with a ValueError that shows it.
    # 2. Train mode; forget the old gradients; forward; loss; backward.
    # 3. Clip, if asked to, by the total norm over all parameters. Then step.
    raise NotImplementedError("ex5: train_step is not written yet")


def gradient_report(model: nn.Module) -> dict[str, str]:
    """Say what became of each parameter's gradient: the first thing to ask when a loss does not move.

    Args:
        model: any module, usually after a backward pass.

    Returns:
        For each name of `model.named_parameters()` one of

            "missing"   there is no gradient: the parameter was not used, or was cut off
            "nan"       at least one entry is not finite (NaN or infinite)
            "zero"      all entries are 0: it was used, but nothing it did mattered
            "ok"        anything else

    Example: y = w * 0 with a bias that never was used.

        >>> layer = nn.Linear(2, 1)
        >>> (layer.weight * 0).sum().backward()
        >>> gradient_report(layer)
        {'weight': 'zero', 'bias': 'missing'}
    """
    # TODO: write gradient_report, step by step.
    # 1. Go through the named parameters and test in the order of the table: each test is only safe after the
    #    ones before it.
    raise NotImplementedError("ex5: gradient_report is not written yet")


def train_copy_task(
    model: "Transformer",
    steps: int,
    batch: int = 32,
    length: int = 6,
    vocab_size: int = 12,
    warmup: int = 40,
    smoothing: float = 0.0,
    clip: float | None = 1.0,
    seed: int = 0,
) -> list[float]:
    """Train the model to copy, on a fresh batch at every step.

    At step s = 1 .. steps the learning rate is

        noam_lr(s, model.d_model, warmup) * (steps - s + 1) / steps

    the paper's schedule, cooled linearly to zero: so short a run does not settle reliably without the
    cooling. Adam has betas = (0.9, 0.98) and eps = 1e-9 (section 5.3).

    Args:
        model: the Transformer, trained in place on the device where it is.
        steps: number of updates.
        batch, length, vocab_size: as in `copy_batch`.
        warmup: as in `noam_lr`.
        smoothing, clip: as in `train_step`.
        seed: of the generator that all batches come from. The global seed is left alone.

    Returns:
        The loss of each step, `steps` numbers. Guessing evenly would cost log(vocab_size); the first, wild
        guesses cost a little more.

    Raises:
        ValueError: if `steps` is negative, or one of the functions above refuses its arguments.

    Example: d_model = 4, warmup = 4, steps = 4. The cooling factors are 4/4, 3/4, 2/4, 1/4:

        noam_lr    0.0625  0.125    0.1875   0.25
        used       0.0625  0.09375  0.09375  0.0625
    """
    # TODO: write train_copy_task, step by step.
    # 1. Refuse negative steps with a ValueError that shows them.
    # 2. Make a torch.Generator seeded with seed, and one Adam for the whole run.
    # 3. At each step: set the learning rate of the optimizer's param_groups, draw a batch from the generator,
    #    bring it to the model's device, call train_step, keep its loss.
    raise NotImplementedError("ex5: train_copy_task is not written yet")
