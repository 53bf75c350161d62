"""The target's embedding is dropped in decode too, although `position` has done that already."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.position(self.tgt_embed(tgt) * math.sqrt(self.d_model))  # (B, Tt, d_model)
        x = self.position.dropout(x)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x
