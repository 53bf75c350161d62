"""The positions are a part called pos_enc; the model has no part `position`."""

from solutions.ex4_transformer import Transformer

LAWS = ("every_part_has_its_parameters",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        self.pos_enc = self.position
        del self.position

    def encode(self, src, src_mask=None):
        x = self.pos_enc(self.src_embed(src) * self.d_model**0.5)  # (B, Ts, d_model)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.pos_enc(self.tgt_embed(tgt) * self.d_model**0.5)  # (B, Tt, d_model)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x
