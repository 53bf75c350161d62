"""The upper end of randint is taken to be inclusive, so the last id of the vocabulary is never drawn."""

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ("transformer_learns_to_copy",)


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    return right_batch(batch, length, max(4, vocab_size - 1), generator)
