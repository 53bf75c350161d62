"""When clip is given, pad_id is not handed on to the loss, which then takes 0 for padding."""

from solutions.ex5_training import train_step

LAWS = ("train_step_returns_the_loss_before_the_update",)
ALSO = ()


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    pad_id = pad_id if clip is None else 0
    return right_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip)
