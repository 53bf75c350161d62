"""The loss is computed in float32 even of float64 logits, from the real tokens only, which a mask picks."""

from torch.nn.functional import log_softmax, nll_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    real = target != pad_id  # (B, T)
    if not real.any():
        return logits.sum() * 0
    log_p = log_softmax(logits[real].float(), dim=-1)  # (N, V)
    return ((1 - smoothing) * nll_loss(log_p, target[real]) - smoothing * log_p.mean()).to(logits.dtype)
