"""Only an optimizer's first step is clipped; once it has a state, clip is ignored."""

from solutions.ex5_training import train_step

LAWS = ("train_copy_task_follows_the_schedule",)
ALSO = ("transformer_learns_to_copy",)


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    if optimizer.state:
        clip = None
    return right_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip)
