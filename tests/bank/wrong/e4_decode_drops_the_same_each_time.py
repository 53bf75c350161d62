"""decode seeds a generator of its own, so every step of training drops the same entries."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return super().decode(tgt, memory, tgt_mask, memory_mask)
