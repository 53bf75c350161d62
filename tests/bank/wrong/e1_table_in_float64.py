"""The table comes back in float64, the precision that it was computed in."""

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("the_table_follows_the_formula",)
ALSO = (
    "a_shift_is_a_rotation",
    "an_odd_width_ends_with_a_sine",
    "each_pair_turns_slower_than_the_one_before",
    "far_positions_are_exact",
    "forward_adds_the_table_over_time",
    "position_zero_is_zero_one_zero_one",
)

in_default_dtype = sinusoidal_encoding


def sinusoidal_encoding(max_len, d_model):
    return in_default_dtype(max_len, d_model).double()
