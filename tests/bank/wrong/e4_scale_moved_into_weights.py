"""The embeddings start sqrt(d_model) times larger, and encode and decode do not scale them."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch", "decode_agrees_with_torch", "weights_start_xavier_uniform")
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        with torch.no_grad():
            for table in (self.src_embed, self.tgt_embed):
                table.weight *= self.d_model**0.5

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
