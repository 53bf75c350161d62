"""Without its options the loss takes EOS for padding and smooths by 0.1, in place of pad_id=0 and smoothing=0."""

from solutions.ex5_training import EOS, label_smoothing_loss

LAWS = ("loss_averages_over_real_targets",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=EOS, smoothing=0.1):
    return right_loss(logits, target, pad_id, smoothing)
