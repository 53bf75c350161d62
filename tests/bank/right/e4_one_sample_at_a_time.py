"""encode and decode run each sample of the batch alone and stack the results."""

import torch

from solutions.ex4_transformer import Transformer


def sample(mask, b):
    """The part of a mask that is for sample b; a mask (T, T) is for all."""
    return mask if mask is None or mask.dim() < 4 or len(mask) == 1 else mask[b : b + 1]


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        encode = super().encode
        return torch.cat([encode(src[b : b + 1], sample(src_mask, b)) for b in range(len(src))])

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        decode = super().decode
        rows = [
            decode(tgt[b : b + 1], memory[b : b + 1], sample(tgt_mask, b), sample(memory_mask, b))
            for b in range(len(tgt))
        ]
        return torch.cat(rows)  # (B, Tt, d_model)
