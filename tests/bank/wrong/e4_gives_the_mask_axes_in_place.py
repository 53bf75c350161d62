"""decode gives a mask (T, T) two more axes by unsqueeze_: the caller's has them, too."""

from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = ()


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        if tgt_mask is not None and tgt_mask.dim() == 2:
            tgt_mask.unsqueeze_(0).unsqueeze_(0)
        return super().decode(tgt, memory, tgt_mask, memory_mask)
