"""The last T rows of the table are added instead of the first T."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("forward_adds_the_table_over_time",)
ALSO = ("far_positions_are_exact", "the_sum_is_plain")


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        return self.dropout(x + self.table[-x.size(1) :].to(x))  # (B, T, d_model)
