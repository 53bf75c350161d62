"""One layer object stands N times in each stack, so all its layers are the same one."""

from torch import nn

from solutions.ex4_transformer import Transformer

LAWS = ("every_part_has_its_parameters",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.encoder = nn.ModuleList([self.encoder[0]] * len(self.encoder))
        self.decoder = nn.ModuleList([self.decoder[0]] * len(self.decoder))
