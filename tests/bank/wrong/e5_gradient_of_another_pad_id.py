"""The gradient takes padding to be 0, the returned loss takes pad_id."""

import torch

from solutions.ex5_training import label_smoothing_loss, train_step

LAWS = ("train_step_updates_the_parameters_once",)
ALSO = ()


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    with torch.no_grad():
        loss = label_smoothing_loss(model.train()(src, tgt_in), tgt_out, pad_id, smoothing)
    right_step(model, optimizer, src, tgt_in, tgt_out, 0, smoothing, clip)
    return loss.item()
