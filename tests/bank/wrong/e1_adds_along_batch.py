"""The row of the table is chosen by the number of the sequence in the batch, not by the position in time."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("forward_adds_the_table_over_time",)
ALSO = ("far_positions_are_exact", "the_sum_is_plain")


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        batch, length, _ = x.shape
        if max(batch, length) > len(self.table):
            raise ValueError(f"a sequence of {length} tokens is longer than max_len={len(self.table)}")
        return self.dropout(x + self.table[:batch].unsqueeze(1).to(x))  # (B, 1, d_model) beside (B, T, d_model)
