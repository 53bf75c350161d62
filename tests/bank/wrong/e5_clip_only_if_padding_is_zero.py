"""With a pad_id other than 0 clip is forgotten."""

from solutions.ex5_training import train_step

LAWS = ("train_step_clips_the_total_norm",)
ALSO = ()


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    clip = None if pad_id else clip
    return right_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip)
