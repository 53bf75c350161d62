"""Encoder and decoder layers of one depth share their feed-forward network."""

from solutions.ex4_transformer import Transformer

LAWS = ("every_part_has_its_parameters",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        if len(self.encoder) == len(self.decoder):
            for layer, other in zip(self.encoder, self.decoder, strict=True):
                other.ffn = layer.ffn
