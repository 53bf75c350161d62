"""Only the first layer of the encoder gets the dropout; those behind it are built without."""

from torch import nn

from solutions.ex4_transformer import Transformer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for layer in self.encoder[1:]:
            for module in layer.modules():
                if isinstance(module, nn.Dropout):
                    module.p = 0.0
