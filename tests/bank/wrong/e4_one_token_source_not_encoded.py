"""A source of one token skips the encoder's layers, as there is nothing to look at."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch",)
ALSO = (
    "padding_does_not_matter",
    "dropout_acts_on_every_sublayer",
)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        if src.size(1) == 1:
            return self.position(self.src_embed(src) * math.sqrt(self.d_model))  # (B, 1, d_model)
        return super().encode(src, src_mask)
