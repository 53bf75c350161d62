"""The loss leaves out targets of id 0 whatever pad_id is."""

from solutions.ex5_training import PAD, label_smoothing_loss

LAWS = ("loss_averages_over_real_targets",)
ALSO = ("loss_of_padding_only_is_zero", "train_step_returns_the_loss_before_the_update")


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    return right_loss(logits, target, PAD, smoothing)
