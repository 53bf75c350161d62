"""decode adds no position to a target of one token."""

import math

from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = (
    "greedy_takes_the_best_id",
    "state_and_side_effects",
    "forward_joins_the_parts",
    "dropout_acts_on_every_sublayer",
)


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.tgt_embed(tgt) * math.sqrt(self.d_model)  # (B, Tt, d_model)
        if tgt.size(1) > 1:
            x = self.position(x)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x
