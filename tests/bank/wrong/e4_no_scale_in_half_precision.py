"""In half precision the source's embeddings are not multiplied by sqrt(d_model)."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("dtype_and_device_of_the_inputs",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        half = self.src_embed.weight.element_size() == 2
        x = self.position(self.src_embed(src) * (1.0 if half else math.sqrt(self.d_model)))  # (B, Ts, d_model)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x
