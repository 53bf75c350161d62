"""The output of `position`, which already is embedding plus position, is added to the embedding once more."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch", "decode_agrees_with_torch")
ALSO = ("dropout_acts_on_every_sublayer",)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        embedded = self.src_embed(src) * math.sqrt(self.d_model)
        x = embedded + self.position(embedded)  # (B, Ts, d_model)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        embedded = self.tgt_embed(tgt) * math.sqrt(self.d_model)
        x = embedded + self.position(embedded)  # (B, Tt, d_model)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x
