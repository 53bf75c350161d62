"""Layers made by functools.partial, a smaller epsilon in the norms, and biases that start at zero."""

from functools import partial

from torch import nn

from solutions.ex4_transformer import DecoderLayer, EncoderLayer, Transformer


def adjusted(layer):
    for module in layer.modules():
        if isinstance(module, nn.LayerNorm):
            module.eps = 1e-6
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)
            nn.init.xavier_uniform_(module.weight)
    return layer


class Transformer(Transformer):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, *depths, d_ff=64, dropout=0.1, **kwargs):
        super().__init__(src_vocab, tgt_vocab, d_model, num_heads, *depths, d_ff=d_ff, dropout=dropout, **kwargs)
        for kind, stack in ((EncoderLayer, self.encoder), (DecoderLayer, self.decoder)):
            make = partial(kind, d_model, num_heads, d_ff, dropout=dropout)
            for i in range(len(stack)):
                stack[i] = adjusted(make())
