"""In training mode only the last decoder layer is used."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = (
    "dropout_acts_on_every_sublayer",
    "gradients_reach_every_parameter",
)


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.position(self.tgt_embed(tgt) * math.sqrt(self.d_model))  # (B, Tt, d_model)
        for layer in self.decoder[-1:] if self.training else self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x
