"""Each forward sets the embedding of pad_id to zero, so that padding adds nothing."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = ("gradients_reach_every_parameter",)


class Transformer(Transformer):
    def forward(self, src, tgt):
        with torch.no_grad():
            self.src_embed.weight[self.pad_id].zero_()
        return super().forward(src, tgt)
