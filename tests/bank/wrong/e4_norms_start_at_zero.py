"""Every parameter of one dimension starts at zero, the weights of the norms too."""

from torch import nn

from solutions.ex4_transformer import Transformer

LAWS = ("weights_start_xavier_uniform",)
ALSO = ("too_long_sequences_raise",)


class Transformer(Transformer):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        for parameter in self.parameters():
            if parameter.dim() == 1:
                nn.init.zeros_(parameter)
