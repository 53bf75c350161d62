"""In training mode the source's embeddings are not multiplied by sqrt(d_model)."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch",)
ALSO = ("dropout_acts_on_every_sublayer",)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        scale = 1.0 if self.training else math.sqrt(self.d_model)
        x = self.position(self.src_embed(src) * scale)  # (B, Ts, d_model)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x
