"""Every encoder layer gets the embedding instead of the layer before it, and only the last result counts."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch",)
ALSO = (
    "dropout_acts_on_every_sublayer",
    "gradients_reach_every_parameter",
)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        x = self.position(self.src_embed(src) * math.sqrt(self.d_model))  # (B, Ts, d_model)
        for layer in self.encoder:
            memory = layer(x, src_mask)
        return memory  # (B, Ts, d_model)
