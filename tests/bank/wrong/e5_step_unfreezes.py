"""Frozen parameters are unfrozen before the step."""

from solutions.ex5_training import train_step

LAWS = ("train_step_updates_the_parameters_once",)
ALSO = ()


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.requires_grad_(True)
    return right_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip)
