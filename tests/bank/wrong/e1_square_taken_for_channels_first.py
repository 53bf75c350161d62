"""An input with as many tokens as features is taken for (B, d_model, T)."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("forward_adds_the_table_over_time",)
ALSO = (
    "a_shift_is_a_rotation",
    "an_odd_width_ends_with_a_sine",
    "each_pair_turns_slower_than_the_one_before",
    "far_positions_are_exact",
    "position_zero_is_zero_one_zero_one",
    "the_table_follows_the_formula",
)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) == x.size(2):
            return super().forward(x.transpose(1, 2)).transpose(1, 2)  # (B, T, d_model)
        return super().forward(x)
