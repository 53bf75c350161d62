"""Gradients are clipped only if clip is less than 1; a larger clip is ignored."""

from solutions.ex5_training import train_step

LAWS = ("train_step_clips_the_total_norm",)
ALSO = ("train_copy_task_follows_the_schedule", "transformer_learns_to_copy")


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    if clip is not None and clip >= 1.0:
        clip = None
    return right_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip)
