"""When both vocabularies are equally large, the output projection shares the target embedding's weight."""

from solutions.ex4_transformer import Transformer

LAWS = ("every_part_has_its_parameters",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        if self.src_embed.weight.shape == self.tgt_embed.weight.shape:
            self.out_proj.weight = self.tgt_embed.weight
