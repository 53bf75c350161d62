"""Only the first layer of each stack drops attention weights; the deeper ones are left without."""

from solutions.ex4_transformer import Transformer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for layer in (*self.encoder[1:], *self.decoder[1:]):
            layer.self_attn.dropout.p = 0.0
