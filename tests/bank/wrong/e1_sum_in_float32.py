"""The sum is made in float32 and converted back: of float64 inputs half the digits are lost."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain",)
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
    def forward(self, x):
        return super().forward(x.float()).to(x.dtype)
