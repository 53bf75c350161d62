"""Padding in the target is overwritten with 0 in place, so the caller's tensor changes."""

LAWS = ("loss_is_cross_entropy",)
ALSO = ("train_step_returns_the_loss_before_the_update",)


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    padding = target == pad_id  # (B, T)
    target[padding] = 0
    log_p = logits.log_softmax(dim=-1)  # (B, T, V)
    hit = -log_p.gather(-1, target.unsqueeze(-1)).squeeze(-1)  # (B, T)
    loss = ((1 - smoothing) * hit - smoothing * log_p.mean(dim=-1)).masked_fill(padding, 0)  # (B, T)
    return loss.sum() / (~padding).sum().clamp(min=1)
