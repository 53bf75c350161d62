"""Content ids are uniform numbers scaled and cut off, and the learning rate is computed with tensors."""

import torch

from solutions.ex5_training import EOS, SOS


def copy_batch(batch, length, vocab_size, generator=None):
    share = torch.rand(batch, length, generator=generator, dtype=torch.float64)
    src = 3 + (share * (vocab_size - 3)).floor().long()  # (B, L)
    framed = torch.cat([torch.full((batch, 1), SOS), src, torch.full((batch, 1), EOS)], dim=1)  # (B, L + 2)
    return src, framed[:, :-1], framed[:, 1:]


def noam_lr(step, d_model, warmup):
    step, width, peak = (torch.tensor(float(number)) for number in (max(step, 1), d_model, warmup))
    return (width.rsqrt() * torch.minimum(step.rsqrt(), step * peak.pow(-1.5))).item()
