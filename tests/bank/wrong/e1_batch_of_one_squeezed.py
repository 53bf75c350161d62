"""A batch of one sequence loses its first axis."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain",)
ALSO = (
    "a_sequence_longer_than_the_table_is_refused",
    "dropout_acts_on_the_sum_in_training_only",
    "far_positions_are_exact",
)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return super().forward(x).squeeze(0)  # (T, d_model) if B is 1
