"""encode doubles the memory and decode halves it again, so only the logits are right."""

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch", "decode_agrees_with_torch")
ALSO = ("dropout_acts_on_every_sublayer",)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        return super().encode(src, src_mask) * 2

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        return super().decode(tgt, memory / 2, tgt_mask, memory_mask)
