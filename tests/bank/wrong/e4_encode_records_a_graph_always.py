"""encode turns gradients on, under no_grad too."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = ("decoding_leaves_the_model_as_it_was",)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        with torch.enable_grad():
            return super().encode(src, src_mask)
