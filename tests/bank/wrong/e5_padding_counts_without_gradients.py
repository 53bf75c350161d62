"""Without gradients, as in evaluation, padding counts."""

import torch

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_averages_over_real_targets",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    pad_id = pad_id if torch.is_grad_enabled() else -1
    target = target.clamp(min=0)
    return right_loss(logits, target, pad_id, smoothing)
