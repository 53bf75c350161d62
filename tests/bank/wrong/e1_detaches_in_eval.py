"""In evaluation mode the input is detached, so no gradient reaches it."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_gradient_reaches_every_entry",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return super().forward(x if self.training else x.detach())
