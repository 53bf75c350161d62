"""Where no gradient is asked for, as in evaluation, the loss is not smoothed."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_smooths_over_all_classes",)
ALSO = ()


smoothed = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    return smoothed(logits, target, pad_id, smoothing if logits.requires_grad else 0.0)
