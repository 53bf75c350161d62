"""The logarithm of a softmax is taken, and a probability that rounds to 0 makes the loss infinite."""

LAWS = ("loss_is_stable",)
ALSO = ("transformer_learns_to_copy",)


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    log_p = logits.softmax(dim=-1).log()  # (B, T, V)
    hit = -log_p.gather(-1, target.unsqueeze(-1)).squeeze(-1)  # (B, T)
    spread = -log_p.mean(dim=-1)  # (B, T)
    loss = (1 - smoothing) * hit + smoothing * spread  # (B, T)
    real = target != pad_id  # (B, T)
    return (loss * real).sum() / real.sum().clamp(min=1)
