"""The mask of padding is made with torch.ones(shape), which is on the CPU, wherever the logits are."""

import torch
import torch.nn.functional as F

LAWS = ("loss_is_cross_entropy",)
ALSO = ()


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    mask = torch.ones(target.shape)
    mask[target == pad_id] = 0
    each = F.cross_entropy(logits.transpose(1, 2), target, reduction="none", label_smoothing=smoothing)
    return ((each * mask).sum() / mask.sum().clamp(min=1)).to(logits.dtype)
