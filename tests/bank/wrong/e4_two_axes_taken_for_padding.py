"""A mask of two axes is taken for the padding of a batch, (B, Tk)."""

from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = ("dropout_acts_on_every_sublayer",)


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        if memory_mask is not None and memory_mask.dim() == 2:
            memory_mask = memory_mask[:, None, None, :]  # (B, 1, 1, Ts)
        return super().decode(tgt, memory, tgt_mask, memory_mask)
