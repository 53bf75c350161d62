"""train_step clips to 1 if clip is not given, so large gradients are cut without being asked."""

from solutions.ex5_training import train_step

LAWS = ("train_step_updates_the_parameters_once",)
ALSO = ("train_copy_task_follows_the_schedule", "train_step_forgets_old_gradients")


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    return right_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip or 1.0)
