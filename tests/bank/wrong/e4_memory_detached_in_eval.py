"""No gradient reaches the encoder in eval mode: encode detaches the memory."""

from solutions.ex4_transformer import Transformer

LAWS = ("gradients_reach_every_parameter",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        memory = super().encode(src, src_mask)  # (B, Ts, d_model)
        return memory if self.training else memory.detach()
