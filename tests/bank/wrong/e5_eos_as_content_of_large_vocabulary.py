"""With more than eight ids, content is drawn from 2 on, so EOS turns up inside the sequences."""

import torch

from solutions.ex5_training import EOS, FIRST_CONTENT_ID, SOS

LAWS = ("copy_batch_content_is_uniform",)
ALSO = ("transformer_learns_to_copy",)


def copy_batch(batch, length, vocab_size, generator=None):
    low = FIRST_CONTENT_ID if vocab_size <= 8 else EOS
    src = torch.randint(low, vocab_size, (batch, length), generator=generator)  # (B, L)
    sos, eos = src.new_full((batch, 1), SOS), src.new_full((batch, 1), EOS)
    return src, torch.cat([sos, src], dim=1), torch.cat([src, eos], dim=1)  # (B, L), twice (B, L + 1)
