"""A batch of nothing but padding has loss 0 only if padding is id 0; for another pad_id the loss is NaN."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_of_padding_only_is_zero",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    loss = right_loss(logits, target, pad_id, smoothing)
    return loss if pad_id == 0 else loss / (target != pad_id).any()
