"""A sequence that is too long is only refused in evaluation mode; in training it is cut."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_sequence_longer_than_the_table_is_refused",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return super().forward(x[:, : self.table.size(0)] if self.training else x)
