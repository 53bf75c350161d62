"""One-hot rows are taken from torch.eye(V), which is on the CPU, wherever the logits are."""

import torch

LAWS = ("loss_is_cross_entropy",)
ALSO = ()


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    V = logits.size(-1)
    real = target != pad_id
    soft = torch.eye(V)[target] * (1 - smoothing) + smoothing / V
    loss = -(soft.to(logits.dtype) * logits.log_softmax(-1)).sum(-1) * real
    return loss.sum() / real.sum().clamp(min=1)
