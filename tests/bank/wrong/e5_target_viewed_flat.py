"""The target is flattened with view, which crashes if it is not contiguous in memory."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_is_cross_entropy",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    return right_loss(logits.flatten(0, 1), target.view(-1), pad_id, smoothing)
