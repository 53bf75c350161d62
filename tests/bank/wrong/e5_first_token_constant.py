"""The first content token of every source is overwritten with SOS."""

from solutions.ex5_training import SOS, copy_batch

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ("transformer_learns_to_copy",)


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    src, tgt_in, tgt_out = right_batch(batch, length, vocab_size, generator)
    src[:, 0] = tgt_in[:, 1] = tgt_out[:, 0] = SOS
    return src, tgt_in, tgt_out
