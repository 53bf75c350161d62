"""Smoothing is spread over V - 2 classes, neither the target's nor that of padding.

Decided: wrong, the contract spreads smoothing over all V classes, as F.cross_entropy does.
"""

LAWS = ("loss_smooths_over_all_classes",)
ALSO = ("train_copy_task_follows_the_schedule", "train_step_returns_the_loss_before_the_update")


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    log_p = logits.log_softmax(dim=-1)  # (B, T, V)
    hit = -log_p.gather(-1, target.unsqueeze(-1)).squeeze(-1)  # (B, T)
    spread = -(log_p.sum(dim=-1) + hit - log_p[..., pad_id]) / (logits.size(-1) - 2)  # (B, T)
    loss = (1 - smoothing) * hit + smoothing * spread  # (B, T)
    real = target != pad_id  # (B, T)
    return (loss * real).sum() / real.sum().clamp(min=1)
