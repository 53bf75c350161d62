"""Without a generator all rows are equal."""

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ()


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    src, tgt_in, tgt_out = right_batch(batch, length, vocab_size, generator)
    if generator is None:
        src, tgt_in, tgt_out = (ids[:1].expand(batch, -1).clone() for ids in (src, tgt_in, tgt_out))
    return src, tgt_in, tgt_out
