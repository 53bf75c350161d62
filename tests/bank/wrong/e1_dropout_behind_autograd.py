"""The dropped entries are set to zero through .data, so their gradient flows on as if they had stayed."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_gradient_reaches_every_entry",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        total = x + self.table[: x.size(1)].to(x)  # (B, T, d_model)
        total.data = self.dropout(total.data)
        return total
