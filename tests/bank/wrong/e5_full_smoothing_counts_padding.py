"""With smoothing 1 the target does not matter, so padding counts, too."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_averages_over_real_targets",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    pad_id, target = (-1, target.clamp(min=0)) if smoothing == 1 else (pad_id, target)
    return right_loss(logits, target, pad_id, smoothing)
