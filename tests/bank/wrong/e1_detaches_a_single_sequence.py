"""For one sequence the input is detached."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_gradient_reaches_every_entry",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return super().forward(x.detach() if len(x) == 1 else x)
