"""The length is checked with assert, which raises an AssertionError instead of a ValueError."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_sequence_longer_than_the_table_is_refused",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        assert x.size(1) <= len(self.table), f"{x.size(1)} tokens, max_len={len(self.table)}"
        return super().forward(x)
