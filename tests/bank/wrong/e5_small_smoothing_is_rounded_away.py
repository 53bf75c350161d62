"""Smoothing is rounded to one decimal."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_smooths_over_all_classes",)
ALSO = ("loss_averages_over_real_targets",)


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    smoothing = round(smoothing, 1)
    return right_loss(logits, target, pad_id, smoothing)
