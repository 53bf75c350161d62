"""A single token gets no position, for there is no order to tell."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return self.dropout(x) if x.size(1) == 1 else super().forward(x)
