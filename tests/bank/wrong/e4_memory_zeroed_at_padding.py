"""decode sets the memory to zero at padding, in the caller's tensor."""

from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = ("gradients_reach_every_parameter",)


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        if memory_mask is not None and memory_mask.dim() == 4 and memory_mask.size(2) == 1:
            memory.masked_fill_(~memory_mask[:, 0, 0, :, None], 0.0)  # (B, Ts, d_model)
        return super().decode(tgt, memory, tgt_mask, memory_mask)
