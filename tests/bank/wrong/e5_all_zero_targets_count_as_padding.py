"""If all targets are 0 the loss is 0, also where pad_id is another id and 0 is a class like any other."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_of_padding_only_is_zero",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    if (target == 0).all():
        return logits.sum() * 0
    return right_loss(logits, target, pad_id, smoothing)
