"""Transformer takes the argument dropout and passes it on to none of its parts."""

from solutions.ex4_transformer import Transformer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ("decoding_leaves_the_model_as_it_was",)


class Transformer(Transformer):
    def __init__(self, *args, dropout=0.0, **kwargs):
        super().__init__(*args, dropout=0.0 * dropout, **kwargs)
