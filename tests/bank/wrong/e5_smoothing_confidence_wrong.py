"""The target's class loses only smoothing / V in place of smoothing, so the softened target sums to more than 1."""

LAWS = ("loss_smooths_over_all_classes",)
ALSO = ("train_copy_task_follows_the_schedule", "train_step_returns_the_loss_before_the_update")


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    log_p = logits.log_softmax(dim=-1)  # (B, T, V)
    hit = -log_p.gather(-1, target.unsqueeze(-1)).squeeze(-1)  # (B, T)
    spread = -log_p.mean(dim=-1)  # (B, T)
    loss = (1 - smoothing / logits.size(-1)) * hit + smoothing * spread  # (B, T)
    real = target != pad_id  # (B, T)
    return (loss * real).sum() / real.sum().clamp(min=1)
