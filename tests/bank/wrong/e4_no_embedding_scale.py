"""The embeddings are not multiplied by sqrt(d_model) before the positions are added."""

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch", "decode_agrees_with_torch")
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        x = self.position(self.src_embed(src))  # (B, Ts, d_model)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.position(self.tgt_embed(tgt))  # (B, Tt, d_model)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x
