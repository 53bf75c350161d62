"""In training mode forward seeds torch's global generator, so that dropout draws the same at each step."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        if self.training:
            torch.manual_seed(0)
        return super().forward(src, tgt)
