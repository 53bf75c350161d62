"""The sum is divided by the number of real targets even if there are none, so padding alone has loss NaN."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_of_padding_only_is_zero",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    return right_loss(logits, target, pad_id, smoothing) / (target != pad_id).any()  # 0 / 0
