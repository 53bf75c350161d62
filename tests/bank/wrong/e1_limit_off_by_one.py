"""A sequence of exactly max_len tokens is refused, although the table has a row for each."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_sequence_longer_than_the_table_is_refused",)
ALSO = ("a_call_leaves_nothing_behind",)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) >= len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        return super().forward(x)
