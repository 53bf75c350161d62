"""The default of max_len is 512 instead of 5,000."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_sequence_longer_than_the_table_is_refused",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=512, dropout=0.0):
        super().__init__(d_model, max_len, dropout)
