"""The factor sqrt(d_model) is a tensor kept as a plain attribute: it stays in float32 and on the CPU."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("dtype_and_device_of_the_inputs",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.scale = torch.full((self.d_model,), self.d_model**0.5)

    def encode(self, src, src_mask=None):
        x = self.position(self.src_embed(src) * self.scale)  # (B, Ts, d_model)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x
