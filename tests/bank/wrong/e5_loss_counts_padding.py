"""The loss is the mean over all positions, so padding counts as a target like any other."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_averages_over_real_targets",)
ALSO = (
    "loss_of_padding_only_is_zero",
    "train_step_returns_the_loss_before_the_update",
    "train_step_updates_the_parameters_once",
)


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    return right_loss(logits, target, pad_id=-1, smoothing=smoothing)
