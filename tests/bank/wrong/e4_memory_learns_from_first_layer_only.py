"""Behind the first decoder layer the memory is detached."""

from solutions.ex4_transformer import Transformer

LAWS = ("gradients_reach_every_parameter",)
ALSO = ()


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.position(self.tgt_embed(tgt) * self.d_model**0.5)
        for layer in self.decoder:
            x, memory = layer(x, memory, tgt_mask, memory_mask), memory.detach()
        return x
