"""Nothing compares T with max_len, so a table of one row is silently repeated for every token."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_sequence_longer_than_the_table_is_refused",)
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
        return self.dropout(x + self.table[: x.size(1)].to(x))  # (B, T, d_model)
