"""Without a mask, encode hides the padding by itself."""

from exercises.ex2_attention import padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        return super().encode(src, padding_mask(src, self.pad_id) if src_mask is None else src_mask)
