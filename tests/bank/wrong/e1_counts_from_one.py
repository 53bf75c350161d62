"""The positions are counted from 1 instead of 0."""

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("the_table_follows_the_formula", "position_zero_is_zero_one_zero_one")
ALSO = ("an_odd_width_ends_with_a_sine", "far_positions_are_exact")

from_zero = sinusoidal_encoding


def sinusoidal_encoding(max_len, d_model):
    return from_zero(max_len + 1, d_model)[1:]  # (max_len, d_model)
