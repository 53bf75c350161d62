"""The content is scaled from uniform numbers in float16, which never reach most ids of a large vocabulary."""

import torch

from solutions.ex5_training import EOS, SOS

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ()


def copy_batch(batch, length, vocab_size, generator=None):
    u = torch.rand(batch, length, generator=generator, dtype=torch.float16)
    src = 3 + (u * (vocab_size - 3)).long().clamp(max=vocab_size - 4)

    start, end = src.new_full((batch, 1), SOS), src.new_full((batch, 1), EOS)
    return src, torch.cat([start, src], dim=1), torch.cat([src, end], dim=1)
