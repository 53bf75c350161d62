"""The dropout is accepted and never used."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only",)
ALSO = ("the_gradient_reaches_every_entry",)


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__(d_model, max_len)
