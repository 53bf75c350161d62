"""The argument smoothing is accepted and never used: the loss is plain cross-entropy always."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_smooths_over_all_classes",)
ALSO = ("train_copy_task_follows_the_schedule", "train_step_returns_the_loss_before_the_update")


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    return right_loss(logits, target, pad_id)
