"""Without a generator tgt_in and tgt_out are swapped."""

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_shifts_the_target_by_one",)
ALSO = ()


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    src, tgt_in, tgt_out = right_batch(batch, length, vocab_size, generator)
    return (src, tgt_out, tgt_in) if generator is None else (src, tgt_in, tgt_out)
