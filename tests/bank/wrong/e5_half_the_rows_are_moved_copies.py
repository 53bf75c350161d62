"""Half of a batch are rows of the other half, moved by one place."""

import torch

from solutions.ex5_training import EOS, SOS, copy_batch

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ()


_right = copy_batch


def copy_batch(batch, length, vocab_size, generator=None):
    src, _, _ = _right(batch, length, vocab_size, generator)
    half = batch // 2
    src[half : 2 * half] = src[:half].roll(1, 1)
    first, last = (torch.full((batch, 1), id) for id in (SOS, EOS))  # (B, 1)
    return src, torch.cat([first, src], dim=1), torch.cat([src, last], dim=1)  # (B, L), (B, L + 1), (B, L + 1)
