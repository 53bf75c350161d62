"""The id of padding is looked up like a class, which crashes if it is none."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_averages_over_real_targets",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    logits.gather(-1, target.unsqueeze(-1))  # crashes for -100
    return right_loss(logits, target, pad_id, smoothing)
