"""In half precision padding is not left out: it counts as a target like any other."""

import torch

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_is_stable",)
ALSO = ()


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    if logits.dtype in (torch.float16, torch.bfloat16):
        pad_id = -1
    return right_loss(logits, target, pad_id, smoothing)
