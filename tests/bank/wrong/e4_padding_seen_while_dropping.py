"""Where entries are dropped, in training, the encoder's layers get no mask."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("padding_does_not_matter",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        x = self.position(self.src_embed(src) * math.sqrt(self.d_model))  # (B, Ts, d_model)
        for layer in self.encoder:
            x = layer(x) if self.training and layer.dropout.p > 0 else layer(x, src_mask)
        return x
