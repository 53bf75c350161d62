"""In sources of more than two tokens the last one repeats the first."""

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ("transformer_learns_to_copy",)


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    src, tgt_in, tgt_out = right_batch(batch, length, vocab_size, generator)
    if length > 2:
        src[:, -1] = tgt_in[:, -1] = tgt_out[:, -2] = src[:, 0]
    return src, tgt_in, tgt_out
