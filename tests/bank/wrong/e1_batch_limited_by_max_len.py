"""A batch of more than max_len sequences is refused."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("forward_adds_the_table_over_time",)
ALSO = ("a_sequence_longer_than_the_table_is_refused", "dropout_acts_on_the_sum_in_training_only")


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(0) > len(self.table):
            raise ValueError(f"{x.size(0)} is more than max_len={len(self.table)}")
        return super().forward(x)
