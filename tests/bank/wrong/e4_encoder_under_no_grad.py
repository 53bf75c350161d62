"""The source is encoded under torch.no_grad(), as if only the decoder were to learn."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("gradients_reach_every_parameter",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        with torch.no_grad():
            return super().encode(src, src_mask)
