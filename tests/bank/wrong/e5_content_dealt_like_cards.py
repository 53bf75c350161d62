"""The content is a permutation, so that in a small batch each id comes equally often."""

import torch

from solutions.ex5_training import EOS, SOS

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ()


def copy_batch(batch, length, vocab_size, generator=None):
    src = torch.randperm(batch * length, generator=generator).view(batch, length) % (vocab_size - 3) + 3

    start, end = src.new_full((batch, 1), SOS), src.new_full((batch, 1), EOS)
    return src, torch.cat([start, src], dim=1), torch.cat([src, end], dim=1)
