"""From the third layer on the decoder gets no target mask: what comes out of two layers has seen it already."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = ()


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.position(self.tgt_embed(tgt) * math.sqrt(self.d_model))  # (B, Tt, d_model)
        for number, layer in enumerate(self.decoder):
            x = layer(x, memory, tgt_mask if number < 2 else None, memory_mask)
        return x
