"""When both vocabularies have the same size, the target is looked up in the source's embedding."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = ("gradients_reach_every_parameter",)


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        same = self.src_embed.weight.shape == self.tgt_embed.weight.shape
        embed = self.src_embed if same else self.tgt_embed
        x = self.position(embed(tgt) * math.sqrt(self.d_model))  # (B, Tt, d_model)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x
