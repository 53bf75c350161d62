"""If no generator is given, torch's global one is seeded anew, which changes the global seed."""

import torch

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_draws_from_the_generator_only",)
ALSO = ()


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    if generator is None:
        torch.seed()
    return right_batch(batch, length, vocab_size, generator)
