"""One LayerNorm object serves all sublayers of a layer."""

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("every_part_has_its_parameters",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.norm2 = self.norm1


class DecoderLayer(DecoderLayer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.norm2 = self.norm3 = self.norm1
