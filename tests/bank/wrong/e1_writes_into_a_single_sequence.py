"""The positions of a batch of one sequence are added in place."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = (
    "the_sum_is_plain",
    "the_gradient_reaches_every_entry",
    "dropout_acts_on_the_sum_in_training_only",
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
        if len(x) > 1:
            return super().forward(x)
        result = super().forward(x)
        x.data += self.table[: x.size(1)]
        return result
