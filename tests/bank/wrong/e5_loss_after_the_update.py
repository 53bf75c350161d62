"""The loss is computed again after the update, and that is what train_step returns."""

import torch

from solutions.ex5_training import label_smoothing_loss, train_step

LAWS = ("train_step_returns_the_loss_before_the_update",)
ALSO = ("train_copy_task_follows_the_schedule", "train_step_runs_in_train_mode")


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    right_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip)
    with torch.no_grad():
        return label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing).item()
