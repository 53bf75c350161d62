"""Content is drawn from 0 on, so PAD, SOS and EOS turn up inside the sequences."""

import torch

from solutions.ex5_training import EOS, SOS

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ("transformer_learns_to_copy",)


def copy_batch(batch, length, vocab_size, generator=None):
    ids = torch.randint(vocab_size, (batch, length), generator=generator)  # (B, L)
    sos, eos = ids.new_full((batch, 1), SOS), ids.new_full((batch, 1), EOS)
    return ids, torch.cat([sos, ids], dim=1), torch.cat([ids, eos], dim=1)  # (B, L), twice (B, L + 1)
