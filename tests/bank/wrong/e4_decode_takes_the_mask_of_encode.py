"""encode keeps its mask, and decode uses it where it gets none."""

from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        self.kept_mask = src_mask
        return super().encode(src, src_mask)

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        mask = getattr(self, "kept_mask", None) if memory_mask is None else memory_mask
        return super().decode(tgt, memory, tgt_mask, mask)
