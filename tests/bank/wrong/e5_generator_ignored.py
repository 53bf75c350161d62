"""The generator is accepted and never used: all draws come from torch's global generator."""

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_draws_from_the_generator_only",)
ALSO = ("train_copy_task_draws_fresh_batches",)


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    return right_batch(batch, length, vocab_size)
