"""Without a generator a new one is seeded by the system, and torch.manual_seed has no effect."""

import torch

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_draws_from_the_generator_only",)
ALSO = ()


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    if generator is None:
        generator = torch.Generator()
        generator.seed()
    return right_batch(batch, length, vocab_size, generator)
