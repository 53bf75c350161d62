"""The dropout is taken for the probability to keep an entry, not to drop it."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only",)
ALSO = (
    "a_sequence_longer_than_the_table_is_refused",
    "forward_adds_the_table_over_time",
    "the_gradient_reaches_every_entry",
    "the_sum_is_plain",
)


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__(d_model, max_len, 1.0 - dropout)
