"""One layer is initialised and then deep-copied, so all layers of a stack start with the same weights."""

import copy

from torch import nn

from solutions.ex4_transformer import Transformer

LAWS = ("weights_start_xavier_uniform",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.encoder = nn.ModuleList([copy.deepcopy(self.encoder[0]) for _ in self.encoder])
        self.decoder = nn.ModuleList([copy.deepcopy(self.decoder[0]) for _ in self.decoder])
