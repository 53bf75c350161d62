"""Nothing compares T with max_len, so a table of one row is silently repeated for every token."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_sequence_longer_than_the_table_is_refused",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return self.dropout(x + self.table[: x.size(1)].to(x))  # (B, T, d_model)
