"""The table is an nn.Parameter, so the optimizer changes it."""

from torch import nn

from solutions.ex1_positional_encoding import PositionalEncoding, sinusoidal_encoding

LAWS = ("the_table_is_no_parameter",)
ALSO = (
    "a_shift_is_a_rotation",
    "an_odd_width_ends_with_a_sine",
    "each_pair_turns_slower_than_the_one_before",
    "far_positions_are_exact",
    "forward_adds_the_table_over_time",
    "position_zero_is_zero_one_zero_one",
    "the_table_follows_the_formula",
)


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__(d_model, max_len, dropout)
        del self.table
        self.table = nn.Parameter(sinusoidal_encoding(max_len, d_model))
