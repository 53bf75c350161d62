"""The positions are added on the source side only, so the decoder does not know the order of its tokens."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = ("dropout_acts_on_every_sublayer", "too_long_sequences_raise")


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.tgt_embed(tgt) * math.sqrt(self.d_model)  # (B, Tt, d_model)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x
