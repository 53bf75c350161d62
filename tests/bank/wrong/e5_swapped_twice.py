"""copy_batch returns tgt_in and tgt_out in the wrong order, and train_step swaps them back, so training looks right."""

from solutions.ex5_training import copy_batch, train_step

LAWS = ("copy_batch_shifts_the_target_by_one", "train_step_returns_the_loss_before_the_update")
ALSO = (
    "train_step_clips_the_total_norm",
    "train_step_forgets_old_gradients",
    "train_step_runs_in_train_mode",
    "train_step_updates_the_parameters_once",
)


right_batch, right_step = copy_batch, train_step


def copy_batch(batch, length, vocab_size, generator=None):
    src, tgt_in, tgt_out = right_batch(batch, length, vocab_size, generator)
    return src, tgt_out, tgt_in


def train_step(model, optimizer, src, tgt_out, tgt_in, pad_id=0, smoothing=0.0, clip=None):
    return right_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip)
