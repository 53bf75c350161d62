"""The decoder gets as many layers as the encoder: num_encoder_layers stands in both stacks."""

from solutions.ex4_transformer import Transformer

LAWS = ("every_part_has_its_parameters",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, num_encoder_layers=2, num_decoder_layers=2, **kwargs):
        super().__init__(*args, num_encoder_layers=num_encoder_layers, num_decoder_layers=num_encoder_layers, **kwargs)
