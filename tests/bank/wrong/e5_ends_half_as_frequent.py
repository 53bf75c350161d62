"""Content is drawn by rounding a uniform number, so the first and the last id come half as often as the others."""

import torch

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ()


def copy_batch(batch, length, vocab_size, generator=None):
    device = torch.device("cpu") if generator is None else generator.device
    drawn = torch.rand((batch, length), generator=generator, device=device)  # (B, L)
    src = 3 + (drawn * (vocab_size - 4)).round().long()  # (B, L)
    start, end = src.new_full((batch, 1), 1), src.new_full((batch, 1), 2)
    return src, torch.cat([start, src], dim=1), torch.cat([src, end], dim=1)
