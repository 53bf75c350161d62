"""The table is added in place, x += table, which changes the caller's tensor."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ("the_gradient_reaches_every_entry",)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        x += self.table[: x.size(1)].to(x)
        return self.dropout(x)
