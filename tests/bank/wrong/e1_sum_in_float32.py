"""The sum is made in float32 and converted back: of float64 inputs half the digits are lost."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return super().forward(x.float()).to(x.dtype)
