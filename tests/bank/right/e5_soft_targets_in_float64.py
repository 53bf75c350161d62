"""The loss is the cross-entropy of soft targets, computed in float64 whatever the logits are."""

import torch


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    real, vocab = target != pad_id, logits.size(-1)  # (B, T)
    soft = torch.full_like(logits, smoothing / vocab, dtype=torch.float64)  # (B, T, V)
    at_target = target.clamp(0, vocab - 1).unsqueeze(-1)  # (B, T, 1)
    soft.scatter_(-1, at_target, 1 - smoothing + smoothing / vocab)
    loss = -(soft * logits.double().log_softmax(-1)).sum(-1) * real  # (B, T)
    return (loss.sum() / real.sum().clamp(min=1)).to(logits.dtype)
