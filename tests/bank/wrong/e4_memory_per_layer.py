"""Decoder layer i looks at the output of encoder layer i instead of the last one's."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = (
    "dtype_and_device_of_the_inputs",
    "dropout_acts_on_every_sublayer",
    "gradients_reach_every_parameter",
)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        x = self.position(self.src_embed(src) * math.sqrt(self.d_model))  # (B, Ts, d_model)
        self.layer_outputs = []
        for layer in self.encoder:
            x = layer(x, src_mask)
            self.layer_outputs.append(x)
        return x

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.position(self.tgt_embed(tgt) * math.sqrt(self.d_model))  # (B, Tt, d_model)
        for i, layer in enumerate(self.decoder):
            x = layer(x, self.layer_outputs[min(i, len(self.layer_outputs) - 1)], tgt_mask, memory_mask)
        return x
