"""The input is multiplied by sqrt(d_model) before the table is added."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        return self.dropout(x * x.size(-1) ** 0.5 + self.table[: x.size(1)].to(x))  # (B, T, d_model)
