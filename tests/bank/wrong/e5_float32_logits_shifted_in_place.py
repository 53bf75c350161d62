"""Of float32 logits without gradients the maximum is subtracted in place."""

import torch

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_is_cross_entropy",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    if logits.dtype == torch.float32 and not logits.requires_grad:
        logits -= logits.amax(-1, keepdim=True)
    return right_loss(logits, target, pad_id, smoothing)
