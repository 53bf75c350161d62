"""Two faults at once: smoothing is ignored, and padding counts as a target."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_smooths_over_all_classes", "loss_averages_over_real_targets")
ALSO = (
    "loss_of_padding_only_is_zero",
    "train_copy_task_follows_the_schedule",
    "train_step_returns_the_loss_before_the_update",
    "train_step_updates_the_parameters_once",
)


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    return right_loss(logits, target, pad_id=-1)
