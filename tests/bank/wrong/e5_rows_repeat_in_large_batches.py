"""In a batch of more than 100 rows the second half repeats the first."""

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ("transformer_learns_to_copy",)


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    ids = right_batch(batch, length, vocab_size, generator)
    half = (batch + 1) // 2
    return tuple(part if batch <= 100 else part[:half].repeat(2, 1)[:batch] for part in ids)
