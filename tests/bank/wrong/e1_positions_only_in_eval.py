"""The table is added in evaluation mode only."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain", "dropout_acts_on_the_sum_in_training_only")
ALSO = ("a_sequence_longer_than_the_table_is_refused", "forward_adds_the_table_over_time")


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if self.training:
            return self.dropout(x)
        return super().forward(x)
