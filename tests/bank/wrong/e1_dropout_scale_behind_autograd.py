"""What dropout keeps is scaled through .data, so the gradient lacks the factor."""

from torch import nn

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_gradient_reaches_every_entry",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        result = super().forward(x)
        if self.training and isinstance(self.dropout, nn.Dropout) and 0 < self.dropout.p < 1:
            kept = result * (1 - self.dropout.p)
            kept.data /= 1 - self.dropout.p
            return kept
        return result
