"""encode runs through the first two layers only, however many there are."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        x = self.position(self.src_embed(src) * math.sqrt(self.d_model))  # (B, Ts, d_model)
        for layer in self.encoder[:2]:
            x = layer(x, src_mask)
        return x
