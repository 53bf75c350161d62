"""A batch of nothing but padding gives a new 0, without a graph: backward() crashes."""

import torch

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_of_padding_only_is_zero",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    if (target == pad_id).all():
        return torch.zeros((), dtype=logits.dtype)
    return right_loss(logits, target, pad_id, smoothing)
