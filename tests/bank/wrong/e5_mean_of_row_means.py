"""The loss is averaged over each row and then over the rows, so a token in a row with much padding weighs more."""

import torch

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_averages_over_real_targets",)
ALSO = ("train_step_returns_the_loss_before_the_update", "train_step_updates_the_parameters_once")


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    rows = [right_loss(*row, pad_id, smoothing) for row in zip(logits.split(1), target.split(1), strict=True)]
    return torch.stack(rows).mean()
