"""The table is an nn.Parameter, so the optimizer changes it."""

from torch import nn

from solutions.ex1_positional_encoding import PositionalEncoding, sinusoidal_encoding

LAWS = ("the_table_is_no_parameter",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__(d_model, max_len, dropout)
        del self.table
        self.table = nn.Parameter(sinusoidal_encoding(max_len, d_model))
