"""An input with as many tokens as features is taken for (B, d_model, T)."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("forward_adds_the_table_over_time",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) == x.size(2):
            return super().forward(x.transpose(1, 2)).transpose(1, 2)  # (B, T, d_model)
        return super().forward(x)
