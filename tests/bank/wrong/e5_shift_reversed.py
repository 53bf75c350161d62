"""The shift goes the wrong way: tgt_in is the source and EOS, tgt_out is SOS and the source."""

from solutions.ex5_training import copy_batch

LAWS = ("copy_batch_shifts_the_target_by_one",)
ALSO = ("train_copy_task_follows_the_schedule", "transformer_learns_to_copy")


right_batch = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    src, tgt_in, tgt_out = right_batch(batch, length, vocab_size, generator)
    return src, tgt_out, tgt_in
