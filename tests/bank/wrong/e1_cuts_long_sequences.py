"""A sequence that is too long is cut to max_len tokens instead of refused."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_sequence_longer_than_the_table_is_refused",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return super().forward(x[:, : len(self.table)])
