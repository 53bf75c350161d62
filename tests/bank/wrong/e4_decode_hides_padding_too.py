"""decode hides pad_id in the mask that it is given, on its own account."""

from exercises.ex2_attention import padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = ()


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        hidden = tgt_mask if tgt_mask is None else tgt_mask & padding_mask(tgt, self.pad_id)
        return super().decode(tgt, memory, hidden, memory_mask)
