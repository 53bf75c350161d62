"""No gradient reaches the encoder: the source is encoded under torch.no_grad(), or its memory is detached."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("gradients_reach_every_parameter",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        with torch.no_grad():
            return super().encode(src, src_mask)
